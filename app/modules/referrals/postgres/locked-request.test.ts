import { expect, test } from "vitest";
import { startCreated } from "../../../../test/database/created.ts";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { ONE_TEST, PATIENT } from "../../../../test/database/seed.ts";

const db = await openTestDatabase();
const AT = new Date("2026-11-25T00:00:00Z");

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

type Tenant = Parameters<Parameters<typeof db.tenancy.inShop>[1]>[0];

const OTHERS = { patient: { ...PATIENT, firstName: "Lee" }, medicare: null };

/** Everything that writes to a request's row, whoever asks for it. */
const writes: Record<string, (tenant: Tenant, id: string) => Promise<unknown>> = {
  write: ({ requests }, id) =>
    requests.write(id, { state: "held", stage: "attention", reason: null, handledReason: null }),
  "write with details": ({ requests }, id) =>
    requests.write(id, {
      ...{ state: "ready", stage: "in_progress", reason: null, handledReason: null },
      given: { patient: OTHERS, consentAt: AT },
    }),
  setItems: ({ requests }, id) => requests.setItems(id, { ...ONE_TEST, bundleId: "another" }),
  savePatient: ({ requests }, id) =>
    requests.savePatient(id, { patient: PATIENT, medicare: null }, AT),
  forgetPatient: ({ requests }, id) => requests.forgetPatient(id),
  hideResults: ({ requests }, id) => requests.hideResults(id, AT),
  recordMailRefused: ({ requests }, id) => requests.recordMailRefused(id, AT),
  recordInvitation: ({ requests }, id) => requests.recordInvitation(id, "kim@example.com", AT),
  async revokeInvitation({ requests }, id) {
    await requests.recordInvitation(id, "kim@example.com", AT);
    await requests.find(id);
    await requests.revokeInvitation(id, new Date());
  },
  async claim({ requests }, id) {
    await requests.recordInvitation(id, "kim@example.com", AT);
    await requests.find(id);
    await requests.claim(id, AT);
  },
  stopReminders: ({ requests }, id) => requests.stopReminders(id, "buyer", AT),
  giveOrder: async ({ customers, requests }, id) => {
    const orderId = (await requests.find(id))?.orderId;
    await customers.giveOrder(orderId ?? "gid://shopify/Order/0", "gid://shopify/Customer/777");
  },
  merge: async ({ customers, requests }, id) => {
    const from = (await requests.find(id))?.customerId;
    await customers.merge(from ?? "gid://shopify/Customer/0", "gid://shopify/Customer/778", AT);
  },
  redaction: ({ redaction }, id) => redaction.requests([id], AT),
};

test.each(Object.keys(writes))("knows a locked request as it is after %s", async (name) => {
  const { shop, requestId } = await startCreated(db);
  const known = await db.tenancy.inShop(shop, async (tenant) => {
    const before = await tenant.requests.findForUpdate(requestId);
    await writes[name]?.(tenant, requestId);
    const after = await tenant.requests.find(requestId);
    expect(after).not.toEqual(before);
    return [after, await tenant.requests.patientOf(requestId)];
  });
  const stored = await db.tenancy.inShop(shop, async ({ requests }) => [
    await requests.find(requestId),
    await requests.patientOf(requestId),
  ]);
  expect(known).toEqual(stored);
});

test("writes details with the change that they came with, and none to a request that was redacted", async () => {
  const { shop, requestId } = await startCreated(db);
  const give = () =>
    db.tenancy.inShop(shop, async ({ requests }) => {
      const change = { state: "ready", stage: "in_progress", reason: null } as const;
      const given = { patient: OTHERS, consentAt: AT };
      const request = await requests.write(requestId, { ...change, handledReason: null, given });
      return [request.hasPatient, request.consentAt, await requests.patientOf(requestId)];
    });
  expect(await give()).toEqual([true, AT, OTHERS]);
  await db.tenancy.inShop(shop, ({ redaction }) => redaction.requests([requestId], AT));
  expect(await give()).toEqual([false, null, null]);
});
