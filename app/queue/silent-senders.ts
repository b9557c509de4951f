import type { Pool } from "pg";
import { REPORTING_GRACE_MS } from "../modules/referrals/create-referral.ts";
import { regularly } from "./regularly.ts";
import type { Loop } from "./vitals.ts";

/** So soon after its time is over a create call is looked for whose sender has not written down what it learnt. */
export const LOOK_FOR_SILENT_MS = 10_000;

/**
 * The attempts whose senders have been silent for too long, in any shop: also in one that has taken the app off, and of a request that a
 * person has to see to. Reads the index of open requests, and writes nothing while each sender is within its time.
 */
const ASK = `
  INSERT INTO outbox (shop, name, singleton_key, payload)
  SELECT shop, 'resolve-ambiguous', shop || ' ' || id, jsonb_build_object('shop', shop, 'requestId', id)
  FROM referral_requests
  WHERE state = 'sending' AND attempt_deadline_at <= now() - $1 * interval '1 millisecond'`;

/**
 * Looks again and again for create calls whose process died, and has each resolved (ledger rule 5). A job of each call that waits for
 * its deadline would say the same, and be done for nothing (docs/decisions/0157).
 */
export const watchSenders = (
  pool: Pool,
  loop: Loop,
  everyMs = LOOK_FOR_SILENT_MS,
): { stop(): void } =>
  regularly(loop, { firstMs: 0, everyMs }, () => pool.query(ASK, [REPORTING_GRACE_MS]));
