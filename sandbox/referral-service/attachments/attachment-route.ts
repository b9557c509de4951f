import type { Core } from "../core.ts";
import type { Answer } from "../http/answer.ts";
import { ApiError } from "../http/api-error.ts";
import type { Route, RoutedRequest } from "../http/router.ts";
import { renderReferralForm } from "../pdf/referral-form.ts";
import { renderResultReport } from "../pdf/result-report.ts";
import { hasForm } from "../referrals/referral-view.ts";
import { createPdfCache } from "./pdf-cache.ts";
import type { Attachment } from "./signed-address.ts";

function gone(): ApiError {
  return new ApiError(404, "ATTACHMENT_UNAVAILABLE", "This document is no longer available");
}

/**
 * Serves PDFs at signed addresses (interface §8): 403 for a forged or expired address, 404 when
 * the document has been replaced, withdrawn or deleted since.
 */
export function attachmentRoute(core: Core): Route {
  const { stores, signedAddresses, faults } = core;
  const cache = createPdfCache();

  const referralForm = async (attachment: Attachment): Promise<[number, () => Promise<Buffer>]> => {
    const referral = stores.referrals.findAnywhere(attachment.uuid);
    if (!referral || !hasForm(referral) || referral.issueNumber !== attachment.edition)
      throw gone();
    return [referral.organisationId, () => renderReferralForm(core, referral)];
  };

  const resultReport = async (attachment: Attachment): Promise<[number, () => Promise<Buffer>]> => {
    const result = stores.results.findAnywhere(attachment.uuid);
    if (!result?.released || result.version !== attachment.edition) throw gone();
    const referral = stores.referrals.findAnywhere(result.referralUuid);
    if (!referral) throw gone();
    return [result.organisationId, () => renderResultReport(core, { result, referral })];
  };

  const handle = async ({ params, query }: RoutedRequest): Promise<Answer> => {
    const kind = params.kind === "result" ? "result" : "referral";
    const edition = Number(/^(\d+)\.pdf$/.exec(params.file ?? "")?.[1] ?? Number.NaN);
    const attachment: Attachment = { kind, uuid: params.uuid ?? "", edition };
    if (!signedAddresses.isValid(attachment, query)) {
      throw new ApiError(
        403,
        "FORBIDDEN",
        "The address is not valid or has expired; fetch a fresh one",
      );
    }
    const [organisationId, render] = await (kind === "referral"
      ? referralForm(attachment)
      : resultReport(attachment));
    const { attachmentStatus } = faults.of(organisationId).settings;
    if (attachmentStatus !== null) {
      throw new ApiError(attachmentStatus, "ATTACHMENT_UNAVAILABLE", "Fault attachmentStatus");
    }
    const pdf = await cache.get(`${kind}/${attachment.uuid}/${edition}`, render);
    return {
      kind: "bytes",
      status: 200,
      contentType: "application/pdf",
      body: pdf,
      headers: {
        "content-disposition": `inline; filename="${kind}-${attachment.uuid}.pdf"`,
        "cache-control": "private, no-store",
      },
    };
  };
  return { method: "GET", pattern: "/attachments/{kind}/{uuid}/{file}", handle };
}
