import { createHash, randomUUID } from "node:crypto";
import { documentDelay } from "../../../platform/counters.ts";
import { crashPoint } from "../../../platform/crash-points.ts";
import { AttachmentUnavailable } from "../../../platform/errors.ts";
import { together } from "../../../platform/together.ts";
import { queueMail } from "../../kernel/queue-mail.ts";
import type { Shop } from "../../shops/shop.ts";
import { ownerNeedsLink } from "../account-of-buyer.ts";
import type { Document, DocumentBody, DocumentKind } from "../document.ts";
import { formMail, hasTwoParts } from "../form-mail.ts";
import type { Ports } from "../ports.ts";
import { isNewer, type StoredReferral } from "../referral-repository.ts";
import { accountOf, type ReferralRequest } from "../request.ts";
import { toldBeforeRestore } from "../restore/told-form.ts";
import type { Tenant } from "../tenant.ts";
import { type Awaited, endAwaiting, recordUnavailable } from "./awaited-document.ts";

/**
 * Brings one PDF from its signed address and stores it, encrypted, as the next version of its document,
 * attached to the customer of the request. The address is used now and never kept. Returns whether a new
 * version was stored: not when it is what is stored already, nor when it was overtaken while it came. A form of which the
 * service told nothing was drawn anew, and nobody is told either (docs/decisions/0163). Throws
 * AttachmentUnavailable when the PDF could not be had; the refetch is then done again, with a fresh address (interface
 * §2.1).
 */
export async function storeDocument(ports: DocumentPorts, source: PdfAddress): Promise<boolean> {
  const pdf = await downloadPdf(ports, source);
  const sha256 = createHash("sha256").update(pdf).digest("hex");
  crashPoint("documents.after-download");
  // Before the row that points at it commits: what nothing points at is swept.
  const body = await place(ports, source, { pdf, sha256 }).catch(async (cause: unknown) => {
    await recordUnavailable(ports, source, { refusedHost: null });
    throw new AttachmentUnavailable("not_stored", { cause });
  });
  const kept = await ports.tenancy.inShop(source.shop, async (tenant) => {
    const found = { body, sha256, bytes: pdf.length };
    const outcome = await keepDocument(tenant, source, found, ports);
    if (outcome === "stored") crashPoint("documents.before-commit");
    return outcome;
  });
  crashPoint("documents.after-commit");
  // A shop that was erased meanwhile has no sweep any more.
  if (kept === "request_gone" && !Buffer.isBuffer(body))
    await ports.documentBodies.delete(source.shop, body);
  return kept === "stored";
}

/** Ports that a PDF needs until it is stored, and announced. */
export type DocumentPorts = Pick<
  Ports,
  | "tenancy"
  | "attachments"
  | "documentBodies"
  | "clock"
  | "emailByService"
  | "waits"
  | "mailJournal"
>;

type PdfAddress = Awaited & {
  url: string;
  /** When what the address was read from was asked for, and when the service had last changed it. */
  askedAt: Date;
  updatedAt: string | null;
  partial: boolean;
};

/** Fetches a PDF. One that cannot be had is noted, and told to a person in time, before this throws. */
async function downloadPdf(ports: DocumentPorts, source: PdfAddress): Promise<Buffer> {
  crashPoint("documents.before-download");
  const download = await ports.attachments
    .download(source.url)
    .catch((cause: unknown) => ({ kind: "unreachable" as const, cause }));
  if (download.kind === "pdf") return download.bytes;
  const refusedHost = download.kind === "refused" ? (download.host ?? null) : null;
  await recordUnavailable(ports, source, { refusedHost });
  const cause = "cause" in download ? download.cause : undefined;
  throw new AttachmentUnavailable(download.kind, { cause });
}

/**
 * Stores a PDF that came as the next version, and tells of it. `not_needed` when it is what is stored already, or was overtaken
 * while it came.
 */
async function keepDocument(
  tenant: Tenant,
  source: PdfAddress,
  { body, sha256, bytes }: { body: DocumentBody; sha256: string; bytes: number },
  { clock, emailByService, waits, mailJournal }: DocumentPorts,
): Promise<"stored" | "not_needed" | "request_gone"> {
  const { request, kind, sourceUuid, partial, updatedAt } = source;
  const now = clock.now();
  // Held until the document is stored: the customer may be merged into another meanwhile.
  const owner = await tenant.requests.findForUpdate(request.id);
  if (!owner) return "request_gone";
  const isForm = kind === "referral";
  const [overtaken, settings, referrals, newest] = await together(
    () => howOvertaken(tenant, source),
    async () => (isForm ? tenant.shops.find() : null),
    async () => (isForm ? tenant.referrals.forRequests([request.id]) : []),
    () => tenant.documents.newestForUpdate(source),
  );
  // Not every later reading fetched the PDF that belongs to it.
  if (overtaken === "by_a_later_one") await askAgain(tenant, request, source);
  if (overtaken) return "not_needed";
  await endAwaiting(tenant, source, { owner, now });
  const document = {
    ...{ id: randomUUID(), requestId: request.id, customerId: accountOf(owner) },
    ...{ kind, sourceUuid, partial, sha256, bytes },
  };
  const stored = await tenant.documents.store(document, body, now, newest);
  if (!stored) return "not_needed";
  if (stored.version === 1 && updatedAt)
    documentDelay.observe({ document: kind }, now.getTime() - Date.parse(updatedAt));
  await tenant.timeline.add({
    kind: "document_stored",
    actor: "service",
    at: now,
    orderId: request.orderId,
    requestId: request.id,
    detail: { document: kind, version: stored.version, bytes: stored.bytes, partial },
  });
  // The service says so when it makes a new form: then the former one was taken away. None is announced where it mails forms itself.
  const isTold = stored.version === 1 || newest?.isReplaced === true;
  if (isForm && isTold && !(settings?.emailByService ?? emailByService))
    await announceForm(tenant, stored, { owner, settings, referrals, now, waits, mailJournal });
  return "stored";
}

/** Puts a PDF where documents go. One that is here already is not stored a second time. */
async function place(
  { tenancy, documentBodies }: Pick<Ports, "tenancy" | "documentBodies">,
  { shop, kind, sourceUuid, partial }: Pick<Document, "kind" | "sourceUuid" | "partial"> & Awaited,
  { pdf, sha256 }: { pdf: Buffer; sha256: string },
): Promise<DocumentBody> {
  if (documentBodies.target === null) return pdf;
  const document = { kind, sourceUuid, partial, sha256 };
  const isHere = await tenancy.inShop(shop, (tenant) => tenant.documents.isCurrent(document));
  return isHere ? pdf : documentBodies.place(shop, pdf);
}

/**
 * A later reading of something newer than the address's own may be stored by now, or its source be deleted. What the
 * service itself dates earlier than before, though it was asked later, is what it has to give.
 */
async function howOvertaken(
  tenant: Tenant,
  source: { kind: DocumentKind; sourceUuid: string; askedAt: Date; updatedAt: string | null },
): Promise<"by_a_later_one" | "by_its_deletion" | null> {
  const { referrals, results } = tenant;
  const stored = await (source.kind === "referral" ? referrals : results).find(source.sourceUuid);
  if (!stored) return null;
  if (stored.deletedAt) return "by_its_deletion";
  const { askedAt, updatedAt } = source;
  const isLater = stored.fetchedAt >= askedAt && isNewer(stored, { updatedAt, askedAt });
  return isLater ? "by_a_later_one" : null;
}

async function askAgain(
  tenant: Tenant,
  { environment }: ReferralRequest,
  { kind, sourceUuid: uuid }: { kind: DocumentKind; sourceUuid: string },
): Promise<void> {
  const name = kind === "referral" ? "refetch-referral" : "refetch-result";
  await tenant.jobs.enqueue({ name, shop: tenant.shop, environment, uuid });
}

/**
 * Tells of a form, unless its mail is noted already. The mail of one that a lost database told of is noted as sent: staff may send it
 * again, as any other. A reader who needs a link is told again: a link that a database has no row of opens nothing (docs/decisions/0218).
 */
async function announceForm(
  tenant: Tenant,
  form: Document,
  {
    owner,
    settings,
    referrals,
    now,
    ...ports
  }: {
    owner: ReferralRequest;
    settings: Shop | null;
    referrals: StoredReferral[];
    now: Date;
  } & Pick<DocumentPorts, "waits" | "mailJournal">,
): Promise<void> {
  const { requestId, version } = form;
  const isSecond = version === 1 && hasTwoParts(referrals);
  const first = isSecond && (await tenant.notifications.find({ requestId, kind: "form_ready" }));
  const due = formMail(form, { referrals, isFirstNoted: Boolean(first) });
  const toldUntil =
    version === 1 ? await toldBeforeRestore(tenant, form, { referrals, ...ports }) : null;
  const isLinkGone =
    toldUntil !== null && settings !== null && (await ownerNeedsLink(tenant, owner, settings));
  if (toldUntil === null || isLinkGone)
    await queueMail(tenant, due, { now, windowMs: ports.waits.mailWindowMs });
  else if (await tenant.notifications.note(due, now))
    await tenant.notifications.markSent(due, toldUntil);
}
