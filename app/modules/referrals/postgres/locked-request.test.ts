import { expect, test } from "vitest";
import { startCreated } from "../../../../test/database/created.ts";
import { openTestDatabase } from "../../../../test/database/database.ts";

const db = await openTestDatabase();

test("finds a request for update as it finds it, column by column", async () => {
  const { shop, requestId } = await startCreated(db);
  // A value in each column, so that none can be read under another's name.
  await db.pool.query(
    `UPDATE referral_requests SET
       bundle_id = 'bundle', medicare_tests = '{one,two}', practitioner = '{"name": "Dr Lee", "address": "1 Main St", "providerNumber": "2426621B"}',
       review_code = 'duplicate_referral', review_detail = 'a', handled_code = 'create_rejected', handled_detail = 'b',
       reason_code = 'duplicate_referral', reason_detail = 'c', missing_part = 'medicare', risk_accepted = true, under_age = true, kept = true,
       cancellation_requested_by = 'staff', cancellation_status = 'confirmed', replaced_by = gen_random_uuid(),
       consent_at = now(), invited_at = now() + interval '1 s', accepted_at = now() + interval '2 s',
       reminders_stopped_at = now() + interval '3 s', patient_reminders_stopped_at = now() + interval '4 s',
       results_hidden_at = now() + interval '5 s', mail_refused_at = now() + interval '6 s',
       attempt_started_at = now() + interval '7 s', attempt_deadline_at = now() + interval '8 s',
       recovery_lower_bound = now() + interval '9 s', empty_scans = 3, redacted_at = now() + interval '10 s'
     WHERE shop = $1 AND id = $2`,
    [shop, requestId],
  );
  await db.tenancy.inShop(shop, async ({ requests }) => {
    const found = await requests.find(requestId);
    expect(found).not.toBeNull();
    expect(await requests.findForUpdate(requestId)).toEqual(found);
    // Once more, under the lock.
    expect(await requests.findForUpdate(requestId)).toEqual(found);
    expect(await requests.findForUpdate(crypto.randomUUID())).toBeNull();
  });
});
