import { z } from "zod";
import { shopDomain } from "../../kernel/ids.ts";
import type { StalledWork } from "../request-repository.ts";
import { RESULT_REASONS } from "../review-reason.ts";

/** Nothing that could have been sent for so long is sent out of the blue. Each attempt changes its row, so that its order and its details count. */
const FORGOTTEN_DAYS = 14;

const OF_RESULTS = RESULT_REASONS.map((code) => `'${code}'`).join(", ");

/**
 * Work on requests that should be moving and is not: `$1` one shop, or null for every one; `$2` one environment, or null;
 * `$3` whether something that kept it is over: the app was away, sending was paused, or the service could not be reached; `$4` whether a person
 * has just tested the connection. Without `$3`, work counts as stalled when nothing happened for an hour; silent senders are looked for more often
 * (queue/silent-senders.ts). A search of the service's list that ended for good, as at a page in the service's place, counts at once: no try
 * of it is left that would find the service back. A request that a person has to
 * look at first is left alone, unless it waits for the service's list, or for the connection alone. That one is taken up when something is over,
 * and where other calls were answered since: after an hour, and later each time, for the service may refuse this call alone. Only with `$4` is it
 * one that a person has marked as handled, or that could have been sent for weeks: it may have been settled by other
 * means (docs/decisions/0183). An attempt under way is taken up
 * though the one before was refused like that, a child's date of birth was given meanwhile, or somebody has to see to a result of its
 * other part: an earlier version wrote that into the same column.
 */
export const STALLED_WORK = `
  SELECT r.shop, r.id::text AS "requestId",
         CASE r.state WHEN 'ready' THEN 'create-referral' ELSE 'resolve-ambiguous' END AS name
  FROM referral_requests r JOIN shops s ON s.shop = r.shop AND s.uninstalled_at IS NULL
  WHERE r.state IN ('ready', 'sending', 'ambiguous')
    AND ($1::text IS NULL OR r.shop = $1) AND ($2::text IS NULL OR r.environment = $2)
    AND (r.review_code IS NULL
         OR r.state = 'ready' AND r.review_code = 'not_sent'
            AND ($4 OR r.handled_code IS DISTINCT FROM 'not_sent'
                   AND greatest(r.created_at, r.consent_at) > now() - interval '${FORGOTTEN_DAYS} days')
            AND ($3 OR r.updated_at < now() - least(r.attempt, 24) * interval '1 hour' AND EXISTS (
                   SELECT FROM connections c
                   WHERE c.shop = r.shop AND c.environment = r.environment
                     AND c.failing_since IS NULL AND c.answered_at > r.updated_at))
         OR r.state IN ('sending', 'ambiguous') AND r.review_code IN ('not_sent', 'under_age', ${OF_RESULTS})
         OR r.state = 'ambiguous' AND r.review_code = 'unresolved')
    AND ($3 OR r.state <> 'sending' AND (r.review_code = 'unresolved' OR r.updated_at < now() - interval '1 hour'))
  UNION ALL
  SELECT r.shop, r.id::text, 'delete-referrals'
  FROM referral_requests r JOIN shops s ON s.shop = r.shop AND s.uninstalled_at IS NULL
  WHERE r.state = 'created' AND r.cancellation_status = 'confirmed'
    AND ($1::text IS NULL OR r.shop = $1) AND ($2::text IS NULL OR r.environment = $2)
  UNION ALL
  SELECT c.shop, c.request_id::text, 'correct-referrals'
  FROM patient_corrections c JOIN shops s ON s.shop = c.shop AND s.uninstalled_at IS NULL
  WHERE c.state = 'pending' AND ($1::text IS NULL OR c.shop = $1)`;

const row = z.object({
  shop: z.string().transform((text, context) => {
    const shop = shopDomain(text);
    if (!shop) context.addIssue("no shop");
    return shop ?? z.NEVER;
  }),
  requestId: z.string(),
  name: z.enum(["create-referral", "resolve-ambiguous", "delete-referrals", "correct-referrals"]),
});

/** The jobs that the rows of `STALLED_WORK` call for. */
export const readStalledWork = (rows: unknown): StalledWork[] => z.array(row).parse(rows);
