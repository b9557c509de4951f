import type { CustomerId, ShopDomain } from "../kernel/ids.ts";
import { expiryOf, hashSecret, newSecret } from "../kernel/secret.ts";
import type { ReferralRequest } from "../referrals/request.ts";
import { gatherFacts, isVisible } from "../referrals/request-facts.ts";
import { helpOf } from "../shops/customer-help.ts";
import { documentFileName } from "./document-file-name.ts";
import { exportFiles } from "./export/export-files.ts";
import { accessOf, accessToRecord, LinkRefused } from "./link-access.ts";
import { logAccess } from "./log-access.ts";
import { type ResultView, viewResult } from "./open-result.ts";
import type { Ports } from "./ports.ts";
import type { Tenant } from "./tenant.ts";
import { isBuyer, isOwner, requestsOf, type Viewer, type ViewerScope } from "./viewer.ts";
import { NOBODY, whoseTests } from "./whose-test.ts";

export interface ExportedFile {
  /** Path inside the archive. Never a test's title. */
  name: string;
  content: Buffer;
}

/**
 * Takes all that is held of this customer or patient and can be seen by them: details, consents, accesses, forms, released
 * results and reports (product.md, row 56). Each PDF is read when its turn comes. Throws `LinkRefused` before the mailed
 * code was shown, and when the link opens nothing of this kind.
 */
export async function exportEverything(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  { shop, viewer }: ViewerScope,
): Promise<AsyncGenerator<ExportedFile>> {
  const now = clock.now();
  const { files, pdfs } = await tenancy.inShop(shop, (tenant) => gather(tenant, viewer, now));
  async function* all() {
    for (const { name, text } of files) yield { name, content: Buffer.from(text) };
    for (const { id, name } of pdfs) {
      const content = await tenancy.inShop(shop, (tenant) => tenant.documents.body(id));
      // Erased since: it is not theirs to take any more.
      if (content) yield { name, content };
    }
  }
  return all();
}

/** Of a shop whose settings are gone. */
const NO_HELP = { shopName: "the shop", email: null, phone: null, hours: null };

/** A ticket under which this customer's browser can download everything once within a minute. */
export async function issueExportTicket(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  { shop, customerId }: { shop: ShopDomain; customerId: CustomerId },
): Promise<string> {
  const secret = newSecret("export_ticket");
  const now = clock.now();
  const ticket = {
    ticketHash: hashSecret(secret),
    customerId,
    expiresAt: expiryOf("export_ticket", now),
    at: now,
  };
  await tenancy.inShop(shop, (tenant) => tenant.exportTickets.save(ticket));
  return secret;
}

/** Downloads everything by a ticket, which is then used up; null when it is none. */
export async function redeemExportTicket(
  ports: Pick<Ports, "tenancy" | "clock">,
  { shop, token }: { shop: ShopDomain; token: string },
): Promise<AsyncGenerator<ExportedFile> | null> {
  const now = ports.clock.now();
  const customerId = await ports.tenancy.inKnownShop(shop, (tenant) =>
    tenant.exportTickets.take(hashSecret(token), now),
  );
  if (!customerId) return null;
  return exportEverything(ports, { shop, viewer: { kind: "customer", customerId } });
}

async function gather(tenant: Tenant, viewer: Viewer, now: Date) {
  const held = (await requestsOf(tenant, viewer)).filter((one) => isOwner(one, viewer));
  const access = held.map((one) => accessToRecord(viewer, one));
  const requests = held.filter((_, index) => access[index] === "granted");
  if (requests.length === 0 && access.includes("step_up_required"))
    throw new LinkRefused("step_up_required");
  if (requests.length === 0 && viewer.kind !== "customer") throw new LinkRefused("other_purpose");

  const whose = await whoseTests(tenant, requests);
  const orderNames = await tenant.orders.namesOf([...new Set(requests.map((r) => r.orderId))]);
  const results: ResultView[] = [];
  const pdfs: { id: string; name: string }[] = [];
  const tests: object[] = [];
  for (const facts of await gatherFacts(tenant, requests)) {
    const { request } = facts;
    const opensResults = accessOf(viewer, request, "results") === "granted";
    const opensForm = accessOf(viewer, request, "form") === "granted";
    for (const stored of facts.results) {
      if (!opensResults || !stored.releasedAt || request.state === "cancelled") continue;
      const view = await viewResult(tenant, { viewer, request, stored });
      if (view) results.push(view);
    }
    const own = whose.get(request.id) ?? NOBODY;
    const orderName = (orderNames.get(request.orderId) ?? "").replace(/[^\w-]/g, "");
    for (const { id, kind, version, ...document } of facts.documents) {
      if (!isVisible({ id, kind, version, ...document }, facts)) continue;
      if (kind === "referral" ? !opensForm : !opensResults) continue;
      const folder = kind === "referral" ? "forms" : "reports";
      const name = documentFileName({ kind, version, ...own });
      pdfs.push({ id, name: `${folder}/${orderName}-${pdfs.length + 1}-${name}` });
    }
    const buyer = isBuyer(request, viewer) ? await tenant.orders.buyerOf(request.orderId) : null;
    tests.push({ order: orderName, buyer, ...(await describe(tenant, request)) });
    await logAccess(tenant, viewer, {
      what: "everything_exported",
      requestId: request.id,
      at: now,
    });
  }
  const shop = await tenant.shops.find();
  const help = shop ? helpOf(shop) : NO_HELP;
  return { files: exportFiles({ help, takenAt: now, results, tests, pdfs: pdfs.length }), pdfs };
}

/** What is held of one test besides its results: as given, as agreed to, and as opened. */
async function describe(tenant: Tenant, { id, title }: ReferralRequest) {
  const given = await tenant.requests.patientOf(id);
  const accesses = await tenant.accessLog.forRequests([id], 500);
  return {
    test: title,
    details: given?.patient ?? null,
    medicare: given?.medicare ?? null,
    consents: (await tenant.consents.forRequest(id)).map(({ givenAt, version, wording }) => ({
      givenAt,
      version,
      wording,
    })),
    accesses: accesses.map(({ at, who, what }) => ({ at, who, what })),
  };
}
