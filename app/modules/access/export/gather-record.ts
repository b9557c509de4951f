import { TIME_ZONE } from "../../../platform/calendar-day.ts";
import { unlessDamaged } from "../../../platform/unless-damaged.ts";
import type { NewAccessEntry } from "../../kernel/access-log.ts";
import { awaitCorrection } from "../../referrals/await-correction.ts";
import type { DocumentBody } from "../../referrals/document.ts";
import type { ReferralRequest } from "../../referrals/request.ts";
import { gatherFacts, isVisible } from "../../referrals/request-facts.ts";
import { refetchIfLost } from "../../referrals/sweep-documents.ts";
import { helpOf } from "../../shops/customer-help.ts";
import { documentFileName } from "../document-file-name.ts";
import { type ResultView, viewResult } from "../open-result.ts";
import type { Ports } from "../ports.ts";
import type { TakenCopies } from "../saved-patients.ts";
import type { Tenant } from "../tenant.ts";
import { NOBODY, whoseTests } from "../whose-test.ts";
import { exportFiles, type LeftOut, readme } from "./export-files.ts";

export interface ExportedFile {
  /** Path inside the archive. Never a test's title. */
  name: string;
  content: Buffer;
}

/** The tests that somebody takes the record of, and how far it may go. */
export interface RecordScope {
  requests: ReferralRequest[];
  /** Whether forms, or results with their reports, go with it. */
  opens(request: ReferralRequest, what: "form" | "results"): boolean;
  /** Whether the buyer's own details go with it. */
  isBuyers(request: ReferralRequest): boolean;
  /** The people whose details a customer keeps, who are no test's. */
  saved: TakenCopies;
  /** By whom, for the access log. */
  by: Pick<NewAccessEntry, "who" | "actor" | "what">;
}

/** What a record has besides its PDFs, and the PDFs by their ids. */
export interface GatheredRecord {
  files: { name: string; text: string }[];
  /** The text that says what is in it, and which PDFs are missing. */
  readme(found: { pdfs: number; missing: readonly string[] }): string;
  pdfs: { id: string; name: string }[];
}

/** Of a shop whose settings are gone. */
const NO_HELP = {
  shopName: "the shop",
  email: null,
  phone: null,
  hours: null,
  timeZone: TIME_ZONE,
};

/** Gathers what is held of some tests and can be shown, and writes down that it was taken. */
export async function gatherRecord(
  tenant: Tenant,
  { requests, opens, isBuyers, by, saved }: RecordScope,
  now: Date,
): Promise<GatheredRecord> {
  const whose = await whoseTests(tenant, requests, "account");
  const orderNames = await tenant.orders.namesOf([...new Set(requests.map((r) => r.orderId))]);
  const results: ResultView[] = [];
  const pdfs: GatheredRecord["pdfs"] = [];
  const orderNameOf = ({ orderId }: ReferralRequest) =>
    (orderNames.get(orderId) ?? "").replace(/[^\w-]/g, "");
  const leftOut: LeftOut = { byLink: false, hidden: false, unread: [] };
  const tests: object[] = [];
  const readable: ReferralRequest[] = [];
  for (const request of requests) {
    const { id: requestId, title: test } = request;
    const order = orderNameOf(request);
    const buyer = isBuyers(request)
      ? await unlessDamaged(async () => ({ buyer: await tenant.orders.buyerOf(request.orderId) }))
      : { buyer: null };
    const given = await unlessDamaged(() => givenFor(tenant, requestId));
    if (given) readable.push(request);
    const isUnreadable = !given || !buyer;
    if (isUnreadable) leftOut.unread.push(`order ${order}, ${test}`);
    const opened = await openedOf(tenant, requestId);
    tests.push({
      order,
      test,
      ...(isUnreadable && { isUnreadable }),
      ...buyer,
      ...given,
      ...opened,
    });
    await tenant.accessLog.add({ ...by, requestId, at: now });
  }
  // A form that a correction is about to replace is none that can be used.
  const known = await awaitCorrection(tenant, await gatherFacts(tenant, readable));
  for (const facts of known) {
    const { request } = facts;
    for (const stored of facts.results) {
      if (!stored.releasedAt || request.state === "cancelled") continue;
      const isOpen = opens(request, "results");
      if (request.resultsHiddenAt) leftOut.hidden = true;
      else if (!isOpen) leftOut.byLink = true;
      const isIn = isOpen && !request.resultsHiddenAt;
      const view = isIn && (await viewResult(tenant, { viewer: null, request, stored }));
      if (view) results.push(view);
    }
    const own = whose.get(request.id) ?? NOBODY;
    for (const document of facts.documents) {
      const { id, kind, version } = document;
      if (!isVisible(document, facts)) continue;
      if (!opens(request, kind === "referral" ? "form" : "results")) {
        leftOut.byLink = true;
        continue;
      }
      const folder = kind === "referral" ? "forms" : "reports";
      const name = documentFileName({ kind, version, ...own });
      pdfs.push({ id, name: `${folder}/${orderNameOf(request)}-${pdfs.length + 1}-${name}` });
    }
  }
  if (saved.unread > 0) leftOut.unread.push("details saved for next tests");
  const shop = await tenant.shops.find();
  const help = shop ? helpOf(shop) : NO_HELP;
  const contents = {
    help,
    takenAt: now,
    results,
    tests,
    savedPatients: saved.savedPatients,
    leftOut,
  };
  return { files: exportFiles(contents), readme: (found) => readme(contents, found), pdfs };
}

/**
 * The files of a record, each PDF read when its turn comes. A lost PDF keeps nobody from the rest: it is fetched again,
 * and the last file names it.
 */
export async function* filesOf(
  ports: Pick<Ports, "tenancy" | "clock" | "documentBodies">,
  { shop, files, readme, pdfs }: GatheredRecord & Pick<Tenant, "shop">,
): AsyncGenerator<ExportedFile> {
  const found = { pdfs: 0, missing: [] as string[] };
  for (const { name, text } of files) yield { name, content: Buffer.from(text) };
  for (const { id, name } of pdfs) {
    const body = await ports.tenancy.inShop(shop, (tenant) => tenant.documents.body(id));
    // Erased since: it is not theirs to take any more.
    if (!body) continue;
    const content = await readUnlessLost(ports, shop, { id, body });
    if (content) yield { name, content };
    if (content) found.pdfs++;
    else found.missing.push(name);
  }
  yield { name: "README.txt", content: Buffer.from(readme(found)) };
}

/** Null when it is lost. A store that is away fails the whole: later it may be there. */
async function readUnlessLost(
  ports: Pick<Ports, "tenancy" | "clock" | "documentBodies">,
  shop: Tenant["shop"],
  { id, body }: { id: string; body: DocumentBody },
): Promise<Buffer | null> {
  try {
    return await ports.documentBodies.read(shop, body);
  } catch (error) {
    if (!(await refetchIfLost(ports, shop, { documentId: id, body }, error))) throw error;
    return null;
  }
}

/** The details that were given for a test. */
async function givenFor(tenant: Tenant, requestId: string) {
  const given = await tenant.requests.patientOf(requestId);
  const corrected = await tenant.corrections.pending(requestId);
  return {
    details: given?.patient ?? null,
    // Given since, and not with the service yet.
    correction: corrected?.patient ?? null,
    medicare: given?.medicare ?? null,
  };
}

/** The consents of a test, and who opened it. */
async function openedOf(tenant: Tenant, requestId: string) {
  const accesses = await tenant.accessLog.forRequests([requestId], 500);
  const consents = await tenant.consents.forRequest(requestId);
  return {
    consents: consents.map(({ givenAt, version, wording }) => ({ givenAt, version, wording })),
    accesses: accesses.map(({ at, who, what }) => ({ at, who, what })),
  };
}
