import type { Core } from "../core.ts";
import type { Answer } from "../http/answer.ts";
import { ApiError } from "../http/api-error.ts";
import type { Route, RoutedRequest } from "../http/router.ts";
import { hasForm } from "../referrals/referral-view.ts";
import { createPdfCache } from "./pdf-cache.ts";
import type { Attachment } from "./signed-address.ts";

/** A document that exists now, and how to draw it. */
interface Found {
  organisationId: number;
  render: () => Promise<Buffer>;
  /** Each download has it drawn (fault formsDrawnAnew). */
  isDrawnAnew?: boolean;
}

function gone(): ApiError {
  return new ApiError(404, "ATTACHMENT_UNAVAILABLE", "This document is no longer available");
}

function findForm(core: Core, { uuid, edition }: Attachment): Found {
  const referral = core.stores.referrals.findAnywhere(uuid);
  if (!referral || !hasForm(referral) || referral.issueNumber !== edition) throw gone();
  const { organisationId } = referral;
  const isDrawnAnew = core.faults.of(organisationId).settings.formsDrawnAnew;
  const render = async () => {
    const { renderReferralForm } = await import("../pdf/referral-form.ts");
    return await renderReferralForm(core, referral, isDrawnAnew ? core.clock.nowMs() : undefined);
  };
  return { organisationId, render, isDrawnAnew };
}

function findReport(core: Core, { uuid, edition }: Attachment): Found {
  const result = core.stores.results.findAnywhere(uuid);
  if (!result?.released || result.version !== edition) throw gone();
  const referral = core.stores.referrals.findAnywhere(result.referralUuid);
  if (!referral) throw gone();
  const render = async () => {
    const { renderResultReport } = await import("../pdf/result-report.ts");
    return await renderResultReport(core, { result, referral });
  };
  return { organisationId: result.organisationId, render };
}

function attachmentOf(params: Record<string, string>): Attachment | null {
  const { kind, uuid = "", file = "" } = params;
  const edition = Number(/^(\d+)\.pdf$/.exec(file)?.[1] ?? Number.NaN);
  return kind === "referral" || kind === "result" ? { kind, uuid, edition } : null;
}

/**
 * Serves PDFs at signed addresses (interface §8): 403 for a forged or expired address, 404 when
 * the document has been replaced, withdrawn or deleted since. The drawing code is only loaded at
 * the first download, which keeps the start quick.
 */
export function attachmentRoute(core: Core): Route {
  const cache = createPdfCache();
  const handle = async ({ params, query }: RoutedRequest): Promise<Answer> => {
    const attachment = attachmentOf(params);
    if (!attachment || !core.signedAddresses.isValid(attachment, query)) {
      const message = "The address is not valid or has expired; fetch a fresh one";
      throw new ApiError(403, "FORBIDDEN", message);
    }
    const { kind, uuid, edition } = attachment;
    const found = kind === "referral" ? findForm(core, attachment) : findReport(core, attachment);
    const { attachmentStatus } = core.faults.of(found.organisationId).settings;
    if (attachmentStatus !== null) {
      throw new ApiError(attachmentStatus, "ATTACHMENT_UNAVAILABLE", "Fault attachmentStatus");
    }
    return {
      kind: "bytes",
      status: 200,
      contentType: "application/pdf",
      body: found.isDrawnAnew
        ? await found.render()
        : await cache.get(`${kind}/${uuid}/${edition}`, found.render),
      headers: {
        "content-disposition": `inline; filename="${kind}-${uuid}.pdf"`,
        "cache-control": "private, no-store",
      },
    };
  };
  return { method: "GET", pattern: "/attachments/{kind}/{uuid}/{file}", handle };
}
