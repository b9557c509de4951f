import { z } from "zod";
import { REQUEST_STATES } from "../../app/modules/referrals/request.ts";
import {
  isSameReason,
  RESULT_REASONS,
  type ReviewReason,
  reasonKey,
} from "../../app/modules/referrals/review-reason.ts";
import { standingOf } from "../../app/modules/referrals/standing.ts";
import type { TestWorld } from "../harness/index.ts";

const when = z.coerce.date().nullable();
const reason = z
  .object({ code: z.string().nullable(), detail: z.string().nullable() })
  .transform(({ code, detail }) => (code === null ? null : ({ code, detail } as ReviewReason)));
const keyOf = (reason: ReviewReason | null) => (reason ? reasonKey(reason) : "no reason");
const row = z.object({
  reference: z.string(),
  state: z.enum(REQUEST_STATES),
  resultReason: z.enum(RESULT_REASONS).nullable(),
  reviewReason: reason,
  handledReason: reason,
  replacedBy: z.string().nullable(),
  missingPart: z.enum(["commercial", "medicare"]).nullable(),
  mailRefusedAt: when,
  stage: z.string(),
  reason,
  underAge: z.boolean(),
  isBesideItsOrder: z.boolean(),
  referrals: z.array(
    z.object({ status: z.string(), deletedAt: when, replacedBy: z.string().nullable() }),
  ),
  results: z.array(
    z.object({
      releasedAt: when,
      inReview: z.boolean(),
      otherPerson: z.boolean(),
      deletedAt: when,
    }),
  ),
});

const ROWS = `
  SELECT r.reference_number AS reference, r.state, r.replaced_by AS "replacedBy", r.mail_refused_at AS "mailRefusedAt",
         r.missing_part AS "missingPart",
         r.under_age AS "underAge", r.stage,
         r.result_code AS "resultReason",
         json_build_object('code', r.review_code, 'detail', r.review_detail) AS "reviewReason",
         json_build_object('code', r.handled_code, 'detail', r.handled_detail) AS "handledReason",
         json_build_object('code', r.reason_code, 'detail', r.reason_detail) AS reason,
         r.order_paid_at = o.paid_at AND r.order_mode = CASE WHEN o.test THEN 'test' ELSE r.environment END
           AS "isBesideItsOrder",
         (SELECT coalesce(json_agg(json_build_object('status', f.status, 'deletedAt', f.deleted_at,
                   'replacedBy', f.replaced_by)), '[]')
          FROM referrals f WHERE f.shop = r.shop AND f.request_id = r.id) AS referrals,
         (SELECT coalesce(json_agg(json_build_object('releasedAt', s.released_at, 'inReview', s.in_review,
                   'otherPerson', s.other_person, 'deletedAt', s.deleted_at)), '[]')
          FROM results s WHERE s.shop = r.shop AND s.request_id = r.id) AS results
  FROM referral_requests r JOIN orders o ON o.shop = r.shop AND o.order_id = r.order_id`;

/** Requests that are not stored where the rules put them, one line each. */
export async function misplacedRequests({ sql }: TestWorld): Promise<string[]> {
  return (await sql.rows(row, ROWS)).flatMap(({ referrals, results, ...request }) => {
    const { stage, reason } = standingOf({ request, referrals, results });
    return stage === request.stage &&
      isSameReason(reason, request.reason) &&
      request.isBesideItsOrder
      ? []
      : [
          `${request.reference}: stored as ${request.stage} ${keyOf(request.reason)}, is ${stage} ${keyOf(reason)}`,
        ];
  });
}
