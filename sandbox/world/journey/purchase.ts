import type { CustomerApi, CustomerRequest } from "../drivers/customer-api.ts";
import type { ServiceReferral } from "../drivers/service-api.ts";
import { eventually } from "../eventually.ts";
import type { OnceLine, Trail } from "../trail.ts";
import type { MappedProduct } from "../world-line.ts";
import { patients, SHIPPING_ADDRESS, shopper, stranger } from "./people.ts";
import type { SetUp } from "./set-up.ts";

const UNITS = 2;

export interface Played {
  played: Omit<OnceLine, "elapsed_ms" | "steps">;
  /** With which the shopper signs in to her account. */
  shopperEmail: string;
  shopperId: string;
}

/** Plays one purchase of two units from the cart to complete results and checks every hand it goes through. */
export async function playPurchase({ drivers, products }: SetUp, trail: Trail): Promise<Played> {
  const { console, service, store } = drivers;
  const run = Date.now().toString(36);
  const { test, otherThing } = cart(products);

  const [buyer, other] = await trail.step("Two people have accounts in the shop", () =>
    Promise.all([store.createCustomer(shopper(run)), store.createCustomer(stranger(run))]),
  );
  const mine = drivers.customer(buyer.id);
  const theirs = drivers.customer(other.id);

  const order = await trail.step(
    `The first buys two of "${test.title}" and one "${otherThing.title}"`,
    () =>
      store.createOrder({
        customerId: buyer.id,
        lines: [
          { variantId: test.variantId, quantity: UNITS },
          { variantId: otherThing.variantId, quantity: 1 },
        ],
        shippingAddress: SHIPPING_ADDRESS,
      }),
  );

  /** This order's requests once `check` passes on each of them. */
  const requestsWhen = (what: string, check: (request: CustomerRequest) => void) =>
    eventually(
      async () => {
        const requests = (await mine.requests()).filter((r) => sameId(r.orderId, order.id));
        expect(requests.length === UNITS, `${requests.length} requests instead of ${UNITS}`);
        for (const request of requests) check(request);
        return requests;
      },
      { what },
    );

  const asked = await trail.step("Her account asks for the details of two patients", () =>
    requestsWhen("two requests that await details", ({ state }) =>
      expect(state === "awaiting_details", `a request is ${state}`),
    ),
  );
  await trail.step("She gives the details of both patients", async () => {
    for (const [index, patient] of patients(run).entries())
      await mine.giveDetails(requiredAt(asked, index).id, patient);
  });
  const referrals = await trail.step("The service has one referral for each of them", () =>
    eventually(async () => matchReferrals(asked, await service.recentReferrals()), {
      what: "two referrals at the service",
    }),
  );
  await trail.step("Each reference number was ordered exactly once", async () => {
    const { referralsByReferenceNumber } = await console.stats();
    for (const { referenceNumber, uuid } of referrals) {
      const times = referralsByReferenceNumber[referenceNumber ?? ""];
      expect(times === 1, `referral ${uuid} exists ${times ?? 0} times`);
    }
  });

  const documents: OnceLine["documents"] = [];
  const openDocuments = async (requests: CustomerRequest[], kind: "referral" | "result") => {
    for (const document of requests.flatMap((request) => request.documents))
      if (document.kind === kind) documents.push({ kind, ...(await mine.openPdf(document.id)) });
  };
  await trail.step("Both referral forms open in her account", async () =>
    openDocuments(
      await requestsWhen("two referral forms", (request) => requiredDocument(request, "referral")),
      "referral",
    ),
  );

  const first = requiredAt(referrals, 0);
  await trail.step(
    "The laboratory answers the first in part, and she sees it as partial",
    async () => {
      await service.generateResults(first.uuid, { partial: true });
      await eventually(
        async () => {
          const [request] = (await mine.requests()).filter(
            ({ id }) => id === requiredAt(asked, 0).id,
          );
          expect(request !== undefined, "the request is gone");
          const { partial, id } = requiredDocument(request, "result");
          expect(partial, "the result is not marked partial");
          await Promise.all([openResult(mine, request), mine.openPdf(id)]);
        },
        { what: "a partial result" },
      );
    },
  );
  const done = await trail.step("The laboratory completes both, and the results open", async () => {
    for (const { uuid } of referrals) await service.generateResults(uuid);
    const requests = await requestsWhen("two complete results", (request) => {
      const { partial } = requiredDocument(request, "result");
      expect(!partial, "a result is still partial");
    });
    for (const request of requests) await openResult(mine, request);
    await openDocuments(requests, "result");
    return requests;
  });
  await trail.step("The other customer is refused every one of them", () =>
    expectRefused(theirs, done),
  );
  const mails = await trail.step("She was told by mail, without a word on what she ordered", () =>
    eventually(
      async () => {
        const toHer = (await store.mail()).filter(({ to }) => to.includes(shopper(run).email));
        const fromTheApp = toHer.filter(({ text }) => text.includes(order.name));
        expect(fromTheApp.length >= asked.length, `${fromTheApp.length} mails about the order`);
        for (const { subject, text, html } of fromTheApp)
          expect(
            ![subject, text, html ?? ""].some((part) => part.includes(test.title)),
            "a mail names what was ordered",
          );
        return toHer.length;
      },
      { what: "mails to the shopper" },
    ),
  );

  const settled = await Promise.all(
    referrals.map(async ({ uuid }) => {
      const { status, reference, origin, metadata } = await service.referral(uuid);
      return { uuid, status, reference, origin, metadata };
    }),
  );
  return {
    played: {
      order: order.id,
      requests: done.map(({ id, state }) => ({ id, state })),
      referrals: settled,
      documents,
      mails,
    },
    shopperEmail: shopper(run).email,
    shopperId: buyer.id,
  };
}

function cart(products: MappedProduct[]): { test: MappedProduct; otherThing: MappedProduct } {
  const test = products.find(({ mapsTo }) => mapsTo.tests ?? mapsTo.bundleId);
  const otherThing = products.find(({ state }) => state === "ignored");
  if (test === undefined || otherThing === undefined)
    throw new Error("The shop has no mapped product or none that is no test");
  return { test, otherThing };
}

/** The one referral of each request, in the requests' order; throws while any is missing or not as ordered. */
function matchReferrals(
  requests: CustomerRequest[],
  referrals: ServiceReferral[],
): ServiceReferral[] {
  return requests.map(({ id }) => {
    const own = referrals.filter(({ metadata }) => Object.values(metadata ?? {}).includes(id));
    expect(own.length <= 1, `request ${id} has ${own.length} referrals`);
    const [referral] = own;
    if (referral === undefined) throw new Error(`request ${id} has no referral yet`);
    expect(referral.origin === "STORE_INTEGRATION", `its origin is ${referral.origin}`);
    return referral;
  });
}

async function openResult(customer: CustomerApi, { id, resultId }: CustomerRequest): Promise<void> {
  if (!resultId) throw new Error(`request ${id} shows no result`);
  await customer.result(resultId);
}

async function expectRefused(customer: CustomerApi, requests: CustomerRequest[]): Promise<void> {
  const seen = await customer.requests();
  expect(seen.length === 0, `the other customer sees ${seen.length} requests`);
  for (const { documents, resultId } of requests) {
    const statuses = await Promise.all([
      ...documents.map(({ id }) => customer.documentStatus(id)),
      ...(resultId ? [customer.resultStatus(resultId)] : []),
    ]);
    expect(
      statuses.every((status) => status === 404),
      `the other customer got ${statuses.join(", ")} instead of 404`,
    );
  }
}

/** The newest version of a request's document of this kind; throws while there is none. */
function requiredDocument({ id, documents }: CustomerRequest, kind: "referral" | "result") {
  const [newest] = documents
    .filter((document) => document.kind === kind)
    .sort((a, b) => b.version - a.version);
  if (newest === undefined) throw new Error(`request ${id} has no ${kind} document yet`);
  return newest;
}

/** Shopify's numeric and global ids name the same thing. */
function sameId(one: string, other: string): boolean {
  return one.split("/").at(-1) === other.split("/").at(-1);
}

function requiredAt<T>(list: readonly T[], index: number): T {
  const entry = list[index];
  if (entry === undefined) throw new Error(`There is no number ${index + 1} of ${list.length}`);
  return entry;
}

function expect(truth: boolean, otherwise: string): asserts truth {
  if (!truth) throw new Error(otherwise);
}
