import { z } from "zod";
import type { TestWorld } from "../harness/index.ts";
import { type LoadGenerator, retryThroughOutage } from "./load-generator.ts";
import { misplacedRequests } from "./misplaced.ts";
import { FORMS_STORED, REFERRALS_DUE } from "./unit-sql.ts";

const request = z.object({
  orderId: z.string(),
  lineItemId: z.string(),
  reference: z.string(),
  state: z.string(),
  /** Cancelled after something was sent: what exists is deleted, or kept with its results. */
  isCancelled: z.boolean(),
  reviewReason: z.string().nullable(),
  /** Referrals that the unit is made of: one, or of a private and a Medicare half two. */
  due: z.number(),
  /** The number of them whose form is stored. */
  forms: z.number(),
});
type Request = z.infer<typeof request>;

const order = z.object({
  id: z.string(),
  cancelledAt: z.string().nullable(),
  lines: z.array(z.object({ id: z.string(), currentQuantity: z.number() })),
});

export interface Verdict {
  /** Paid and kept: neither refunded, nor edited away, nor cancelled. */
  units: number;
  /** The service's own count, over all reference numbers. */
  referrals: number;
  /** Kept units without a referral, or with one of their two. */
  lost: number;
  /** Referrals of one reference number beyond those its unit is made of. */
  duplicated: number;
  /** Referrals of numbers that no unit has, or of units that were taken back before anything was sent. */
  unasked: number;
  /**
   * Units that were taken back when their referral existed, or might have: each may have its own, and somebody
   * has been told (`refunded_after_sending`).
   */
  takenBackAfterCreation: number;
  /** Kept units whose request ended otherwise than as created. */
  unresolved: number;
  /** Created referrals whose form has not come. */
  withoutForm: number;
  /** Requests that the admin lists elsewhere than the rules say. */
  misplaced: number;
  /** Mails that somebody got twice, word for word: allowed, once for each death between sending and record. */
  mailDuplicates: number;
  /** The faults, one line for each order line, a few of them. */
  examples: string[];
}

/** Compares what the store says was bought with what the service says was ordered. */
export async function judge(world: TestWorld, load: LoadGenerator): Promise<Verdict> {
  const requests = await retryThroughOutage(() =>
    world.sql.rows(
      request,
      `SELECT r.order_id AS "orderId", r.line_item_id AS "lineItemId", r.reference_number AS reference,
              r.state, nullif(concat_ws(':', r.review_code, r.review_detail), '') AS "reviewReason",
              r.cancellation_status IS NOT NULL AND (r.state <> 'cancelled' OR EXISTS (
                SELECT FROM referrals f WHERE f.shop = r.shop AND f.request_id = r.id)) AS "isCancelled", ${REFERRALS_DUE} AS due, ${FORMS_STORED} AS forms
       FROM referral_requests r`,
    ),
  );
  const counts = (await world.console.stats()).referralsByReferenceNumber;
  const byLine = Map.groupBy(requests, ({ orderId, lineItemId }) => `${orderId} ${lineItemId}`);
  const verdict: Verdict = {
    units: 0,
    referrals: Object.values(counts).reduce((sum, count) => sum + count, 0),
    lost: 0,
    duplicated: 0,
    unasked: 0,
    takenBackAfterCreation: 0,
    unresolved: 0,
    withoutForm: 0,
    misplaced: 0,
    mailDuplicates: 0,
    examples: [],
  };
  const referralsOf = (one: Request) => counts[one.reference] ?? 0;
  for (const { id } of load.sold) {
    const now = order.parse(await world.store.order(id));
    for (const line of now.lines) {
      const kept = now.cancelledAt ? 0 : line.currentQuantity;
      const all = byLine.get(`${id} ${line.id}`) ?? [];
      const wanted = all.filter(({ state, isCancelled }) => state !== "cancelled" && !isCancelled);
      const served = wanted.filter((one) => referralsOf(one) >= one.due).length;
      verdict.units += kept;
      // More than were kept means that something is still wanted which the shop has taken back.
      verdict.lost += Math.max(0, kept - served);
      verdict.unasked += Math.max(0, served - kept);
      verdict.unresolved += wanted.filter(({ state }) => state !== "created").length;
      verdict.withoutForm += wanted.filter(
        ({ state, forms, due }) => state === "created" && forms < due,
      ).length;
      if (served !== kept || wanted.some(({ state }) => state !== "created"))
        verdict.examples.push(`${id} ${line.id}: ${kept} kept; ${describe(all, referralsOf)}`);
    }
  }
  for (const one of requests) {
    const count = referralsOf(one);
    verdict.duplicated += Math.max(0, count - one.due);
    // Deleted at the service for a refund, it had one; taken back before anything was sent, it may not.
    const isUnasked = one.state === "cancelled" && !one.isCancelled;
    if (isUnasked) verdict.unasked += count;
    else if (one.isCancelled) verdict.takenBackAfterCreation += Math.min(1, count);
    if (count > one.due || (isUnasked && count > 0))
      verdict.examples.push(
        `${one.orderId}: ${describe([one], referralsOf)}; ${await storyOf(world, one.reference)}`,
      );
  }
  const known = new Set(requests.map(({ reference }) => reference));
  for (const [number, count] of Object.entries(counts))
    if (!known.has(number)) verdict.unasked += count;
  const misplaced = await misplacedRequests(world);
  verdict.misplaced = misplaced.length;
  verdict.examples.push(...misplaced);
  verdict.mailDuplicates = await countMailDuplicates(world);
  verdict.examples.splice(20);
  return verdict;
}

const describe = (requests: Request[], referralsOf: (one: Request) => number) =>
  requests
    .map(
      (one) =>
        `${one.reference} ${one.state}${one.isCancelled ? " cancellation" : ""} ${one.reviewReason ?? ""} ×${referralsOf(one)}`,
    )
    .join("; ") || "no requests";

const entry = z.object({ at: z.string(), what: z.string() });

/**
 * The story of a unit, in the sequence in which it happened: what the app noted of it, and when the service made each referral that the app
 * knows. So a duplicate tells whether it was made later than the app waits, or sent too early.
 */
async function storyOf({ sql }: TestWorld, reference: string): Promise<string> {
  const told = await sql.rows(
    entry,
    `SELECT to_char(told.at, 'HH24:MI:SS.MS') AS at, told.what FROM referral_requests r, LATERAL (
       SELECT t.at, concat_ws(' ', t.kind, t.detail->>'attempt') AS what FROM timeline t
       WHERE t.shop = r.shop AND t.request_id = r.id
       UNION ALL
       SELECT f.service_created_at, 'made at the service' FROM referrals f
       WHERE f.shop = r.shop AND f.request_id = r.id
     ) told WHERE r.reference_number = $1 ORDER BY told.at`,
    [reference],
  );
  return told.map(({ at, what }) => `${at} ${what}`).join(", ");
}

/** Several units of one order each have a mail of their own about their form, so words alone do not tell. */
async function countMailDuplicates({ store, sql }: TestWorld): Promise<number> {
  const received = (await store.mail()).length;
  const due = await sql.count("SELECT count(*) FROM notifications WHERE sent_at IS NOT NULL");
  return Math.max(0, received - due);
}

/** Whether an outcome may be shown to anybody. */
export const isSound = (verdict: Verdict): boolean => {
  const { lost, duplicated, unasked, unresolved, withoutForm, misplaced } = verdict;
  return lost + duplicated + unasked + unresolved + withoutForm + misplaced === 0;
};
