import { expect, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import { type Ledger, startLedger } from "../../../test/database/ledger.ts";
import { untilWaiting, whoHoldsRequest } from "../../../test/database/locks.ts";
import { putRequest } from "../../../test/database/put-request.ts";
import { orderLine, readyRequest, storeOrder } from "../../../test/database/seed.ts";
import { clearPractitionerFault, savePractitioner } from "../catalogue/keep-practitioners.ts";
import { saveMapping } from "../catalogue/save-mapping.ts";
import { gid } from "../kernel/ids.ts";
import { markHandled } from "../reports/mark-handled.ts";
import type { OrderedItems, Practitioner } from "./referral-service.ts";
import type { RequestChange } from "./request-repository.ts";
import type { ReviewReason } from "./review-reason.ts";

const db = await openTestDatabase();
const REFUSED = { name: "Dr Raman", address: "12 Collins St", providerNumber: "2426621B" };
const OTHER = { name: "Dr Osei", address: "1 Lygon St", providerNumber: "2123461L" };
const VARIANT = gid("ProductVariant", 1);
const MISSING_SIGNATURE: ReviewReason = {
  code: "rejected",
  detail: "MISSING_PROVIDER_SIGNATURE",
};
const actor = "staff:1" as const;

const orderedBy = (practitioner: Practitioner | null): OrderedItems => ({
  bundleId: null,
  tests: ["fbc"],
  medicareTests: practitioner ? ["fbc"] : [],
  practitioner,
});

/** A product of one test under Medicare, ordered by somebody whom the service refuses. */
async function start() {
  const ledger = await startLedger(db);
  const { shop, ports } = ledger;
  const test = {
    id: "fbc",
    name: "Blood count",
    shortName: "FBC",
    priceCents: 900,
    turnaround: null,
  };
  await db.tenancy.inShop(shop, async (tenant) => {
    const fetchedAt = ports.clock.now();
    await tenant.catalogues.save({ environment: "staging", tests: [test], bundles: [], fetchedAt });
  });
  const map = (practitioner: Practitioner | null) =>
    saveMapping(ports, {
      shop,
      actor,
      mapping: {
        environment: "staging",
        variantId: VARIANT,
        productId: gid("Product", 1),
        kind: "order",
        items: orderedBy(practitioner),
      },
    });
  await map(REFUSED);
  await savePractitioner(ports, {
    ...{ shop, practitioner: { ...OTHER, label: "" }, isNew: true, actor: "staff:3" },
  });
  await db.tenancy.inShop(shop, (tenant) =>
    tenant.practitioners.recordVerdict(
      REFUSED.providerNumber,
      "MISSING_PROVIDER_SIGNATURE",
      ports.clock.now(),
    ),
  );
  return { ...ledger, map };
}

/** A paid order of the product whose one unit ended as told. */
async function refused(
  { shop, ports }: Ledger,
  { orderNumber, ...change }: { orderNumber: number } & RequestChange,
): Promise<string> {
  const id = gid("Order", orderNumber);
  const order = storeOrder({ id, name: `#${orderNumber}`, lines: [orderLine()] });
  const states = new Map([[orderLine().id, "mapped" as const]]);
  const requestId = await readyRequest(db, shop, { items: orderedBy(REFUSED), orderNumber });
  await db.tenancy.inShop(shop, async (tenant) => {
    await tenant.orders.record(order, states, ports.clock.now());
    const to = change.missingPart ? "created" : "rejected";
    await putRequest(tenant, requestId, { state: to, ...change });
  });
  return requestId;
}

const find = ({ shop }: Ledger, id: string) =>
  db.tenancy.inShop(shop, (tenant) => tenant.requests.find(id));

test("sends a refused request again when another practitioner orders it, under that number", async () => {
  const ledger = await start();
  const first = await refused(ledger, { orderNumber: 1, reviewReason: MISSING_SIGNATURE });
  const second = await refused(ledger, {
    orderNumber: 2,
    reviewReason: { code: "rejected", detail: "INVALID_PROVIDER_NUMBER" },
  });
  const otherReason = await refused(ledger, {
    orderNumber: 3,
    reviewReason: { code: "rejected", detail: "INVALID_MEDICARE_NUMBER" },
  });
  await ledger.takeJobs();
  expect(await ledger.map(REFUSED)).toMatchObject({ kind: "saved", sentAgain: 0 });
  expect(await ledger.map(OTHER)).toMatchObject({ kind: "saved", sentAgain: 2 });
  for (const id of [first, second]) {
    const request = await find(ledger, id);
    expect(request).toMatchObject({ state: "ready", reviewReason: null });
    expect(request?.items.practitioner).toEqual(OTHER);
    expect((await ledger.story(id)).at(-1)).toBe("retry_asked");
  }
  expect(await ledger.state(otherReason)).toBe("rejected");
  expect((await ledger.takeJobs()).filter((name) => name === "create-referral")).toHaveLength(2);
});

test("sends a refused request again when its practitioner was put right", async () => {
  const ledger = await start();
  const { shop, ports } = ledger;
  const id = await refused(ledger, { orderNumber: 1, reviewReason: MISSING_SIGNATURE });
  const { providerNumber } = REFUSED;
  expect(await clearPractitionerFault(ports, { shop, providerNumber, actor })).toBe(1);
  expect((await find(ledger, id))?.items.practitioner).toEqual(REFUSED);
  expect(await ledger.state(id)).toBe("ready");
});

test("leaves a refused request as it is when a person has dealt with it otherwise", async () => {
  const ledger = await start();
  const { shop, ports } = ledger;
  const id = await refused(ledger, { orderNumber: 1, reviewReason: MISSING_SIGNATURE });
  await markHandled(ports, { shop, orderId: gid("Order", 1), reason: null, actor });
  expect(await ledger.map(OTHER)).toMatchObject({ sentAgain: 0 });
  expect(await ledger.state(id)).toBe("rejected");
});

test("leaves a refused request as it is when a person deals with it otherwise at that moment", async () => {
  const ledger = await start();
  const { shop, ports } = ledger;
  const id = await refused(ledger, { orderNumber: 1, reviewReason: MISSING_SIGNATURE });
  const colleague = await whoHoldsRequest(db, id);
  const { providerNumber } = REFUSED;
  const clearing = clearPractitionerFault(ports, { shop, providerNumber, actor });
  await untilWaiting(db, 1, clearing);
  await colleague.change(
    `UPDATE referral_requests SET handled_code = review_code, handled_detail = review_detail, stage = 'cancelled',
       reason_code = NULL, reason_detail = NULL WHERE id = $1`,
    id,
  );
  await colleague.end();
  expect(await clearing).toBe(0);
  expect(await ledger.state(id)).toBe("rejected");
});

test("of a missing part only who orders it changes", async () => {
  const ledger = await start();
  const missingPart = {
    missingPart: "medicare",
    reviewReason: { code: "half_rejected", detail: "MISSING_PROVIDER_SIGNATURE" },
  } as const;
  const id = await refused(ledger, { orderNumber: 1, ...missingPart });
  // Nobody orders under Medicare any more, yet this part was bought.
  expect(await ledger.map(null)).toMatchObject({ sentAgain: 0 });
  expect(await ledger.map(OTHER)).toMatchObject({ sentAgain: 1 });
  const request = await find(ledger, id);
  expect(request).toMatchObject({ state: "ready", missingPart: "medicare" });
  expect(request?.items).toEqual(orderedBy(OTHER));
});

test("nothing goes out under a number that has left the list", async () => {
  const ledger = await start();
  const id = await refused(ledger, { orderNumber: 1, reviewReason: MISSING_SIGNATURE });
  await db.pool.query("DELETE FROM practitioners WHERE shop = $1 AND provider_number = $2", [
    ledger.shop,
    REFUSED.providerNumber,
  ]);
  const { shop, ports } = ledger;
  expect(
    await clearPractitionerFault(ports, { shop, providerNumber: OTHER.providerNumber, actor }),
  ).toBe(0);
  expect(await ledger.state(id)).toBe("rejected");
});
