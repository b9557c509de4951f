import type { ShopDomain } from "../kernel/ids.ts";
import { expiryOf, hashSecret, newSecret } from "../kernel/secret.ts";
import { awaitCorrection } from "../referrals/await-correction.ts";
import type { DocumentBody, DocumentKind } from "../referrals/document.ts";
import { accountOf, type ReferralRequest } from "../referrals/request.ts";
import { gatherFacts, isVisible } from "../referrals/request-facts.ts";
import { refetchIfLost } from "../referrals/sweep-documents.ts";
import { documentFileName } from "./document-file-name.ts";
import { requireAccess } from "./link-access.ts";
import { logAccess } from "./log-access.ts";
import type { Ports } from "./ports.ts";
import type { Tenant } from "./tenant.ts";
import { isOwner, type Viewer, type ViewerScope } from "./viewer.ts";
import { NOBODY, whoseTests } from "./whose-test.ts";

export interface OpenedDocument {
  fileName: string;
  pdf: Buffer;
}

/** A document that may be opened, and where it lies. */
export interface PlacedDocument {
  documentId: string;
  fileName: string;
  body: DocumentBody;
}

/**
 * Brings what a transaction found, after it: a store may take its time. Throws `DocumentStoreFailed`. One that the store does
 * not have as it was is then fetched again.
 */
export async function loadDocument(
  ports: Pick<Ports, "tenancy" | "clock" | "documentBodies">,
  shop: ShopDomain,
  placed: PlacedDocument | null,
): Promise<OpenedDocument | null> {
  if (!placed) return null;
  const { fileName, body } = placed;
  try {
    return { fileName, pdf: await ports.documentBodies.read(shop, body) };
  } catch (error) {
    await refetchIfLost(ports, shop, placed, error);
    throw error;
  }
}

/**
 * The PDF, for the customer it is attached to and nobody else. Null for every other case, without telling
 * which: not theirs, not released, withdrawn, unknown. Throws `LinkRefused` when the viewer's link does not open it.
 */
export async function openDocument(
  ports: Pick<Ports, "tenancy" | "clock" | "documentBodies">,
  target: ViewerScope & { documentId: string },
): Promise<OpenedDocument | null> {
  const { tenancy, clock } = ports;
  const placed = await tenancy.inShop(target.shop, async (tenant) =>
    (await enter(tenant, target, clock.now())) ? find(tenant, target.documentId) : null,
  );
  return loadDocument(ports, target.shop, placed);
}

/**
 * A ticket under which this customer's browser can open the document once within a minute, for places that
 * cannot send a token, such as a link. Null, and refused, as for `openDocument`.
 */
export async function issueDocumentTicket(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  target: ViewerScope & { documentId: string },
): Promise<string | null> {
  return tenancy.inShop(target.shop, async (tenant) => {
    const now = clock.now();
    if (!(await enter(tenant, target, now))) return null;
    const secret = newSecret("document_ticket");
    const expiresAt = expiryOf("document_ticket", now);
    await tenant.documents.saveTicket(hashSecret(secret), target.documentId, expiresAt);
    return secret;
  });
}

/** Opens a document by its ticket, which is then used up. */
export async function redeemDocumentTicket(
  ports: Pick<Ports, "tenancy" | "clock" | "documentBodies">,
  { shop, token }: { shop: ShopDomain; token: string },
): Promise<OpenedDocument | null> {
  const { tenancy, clock } = ports;
  const placed = await tenancy.inKnownShop(shop, async (tenant) => {
    const documentId = await tenant.documents.takeTicket(hashSecret(token), clock.now());
    if (!documentId) return null;
    // Withdrawn or held back since the ticket was issued: gone.
    return (await findShown(tenant, documentId)) ? find(tenant, documentId) : null;
  });
  return loadDocument(ports, shop, placed);
}

/** Whether the viewer may open it. If so, that they open it is written down. */
async function enter(
  tenant: Tenant,
  { viewer, documentId }: { viewer: Viewer; documentId: string },
  at: Date,
): Promise<boolean> {
  const shown = await findShown(tenant, documentId);
  if (!shown || !isOwner(shown.request, viewer)) return false;
  const isForm = shown.kind === "referral";
  requireAccess(viewer, shown.request, isForm ? "form" : "results");
  const what = isForm ? "form_opened" : "report_opened";
  const entry = { what, requestId: shown.request.id, subjectId: documentId, at } as const;
  await logAccess(tenant, viewer, entry);
  return true;
}

/** A document that its unit's owner can see now. */
async function findShown(
  tenant: Tenant,
  documentId: string,
): Promise<{ kind: DocumentKind; request: ReferralRequest } | null> {
  const document = await tenant.documents.find(documentId);
  const request = document && (await tenant.requests.find(document.requestId));
  if (!request || document.customerId !== accountOf(request)) return null;
  const [facts] = await awaitCorrection(tenant, await gatherFacts(tenant, [request]));
  // `facts.documents` holds current versions only: a replaced form must not be used.
  const current = facts?.documents.find((one) => one.id === documentId);
  return facts && current && isVisible(current, facts) ? { kind: document.kind, request } : null;
}

async function find(tenant: Tenant, documentId: string): Promise<PlacedDocument | null> {
  const document = await tenant.documents.find(documentId);
  const request = document && (await tenant.requests.find(document.requestId));
  const body = await tenant.documents.body(documentId);
  if (!request || !body) return null;
  const whose = (await whoseTests(tenant, [request], "account")).get(request.id) ?? NOBODY;
  return { documentId, fileName: documentFileName({ ...document, ...whose }), body };
}
