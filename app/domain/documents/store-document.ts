import { createHash, randomUUID } from "node:crypto";
import { crashPoint } from "../../lib/crash-points.ts";
import { AttachmentUnavailable } from "../../lib/errors.ts";
import type { ShopDomain } from "../ids.ts";
import type { Ports } from "../ports.ts";
import type { ReferralRequest } from "../requests/request.ts";
import type { DocumentKind } from "./document.ts";

/**
 * Brings one PDF from its signed address and stores it, encrypted, as the next version of its document,
 * attached to the customer of the request. The address is used now and never kept. Returns whether a new
 * version was stored. Throws AttachmentUnavailable when the PDF could not be had; the refetch is then done
 * again, with a fresh address (interface §2.1).
 */
export async function storeDocument(
  { tenancy, attachments, clock }: Pick<Ports, "tenancy" | "attachments" | "clock">,
  source: {
    shop: ShopDomain;
    request: ReferralRequest;
    kind: DocumentKind;
    sourceUuid: string;
    url: string;
    partial: boolean;
  },
): Promise<boolean> {
  const { shop, request, kind, sourceUuid, partial } = source;
  crashPoint("documents.before-download");
  const download = await attachments.download(source.url);
  if (download.kind !== "pdf") throw new AttachmentUnavailable(download.kind);
  const pdf = download.bytes;
  crashPoint("documents.after-download");
  const isNew = await tenancy.inShop(shop, async (tenant) => {
    const now = clock.now();
    // Held until the document is stored: the customer may be merged into another meanwhile.
    const owner = await tenant.requests.findForUpdate(request.id);
    const stored = await tenant.documents.store(
      {
        id: randomUUID(),
        requestId: request.id,
        customerId: owner?.customerId ?? null,
        kind,
        sourceUuid,
        partial,
        sha256: createHash("sha256").update(pdf).digest("hex"),
        bytes: pdf.length,
      },
      pdf,
      now,
    );
    if (!stored) return false;
    await tenant.timeline.add({
      kind: "document_stored",
      actor: "service",
      at: now,
      orderId: request.orderId,
      requestId: request.id,
      detail: { document: kind, version: stored.version, bytes: stored.bytes, partial },
    });
    if (kind === "referral" && (await tenant.notifications.note(request.id, "form_ready", now)))
      await tenant.jobs.enqueue({
        name: "send-mail",
        shop,
        requestId: request.id,
        kind: "form_ready",
      });
    crashPoint("documents.before-commit");
    return true;
  });
  crashPoint("documents.after-commit");
  return isNew;
}
