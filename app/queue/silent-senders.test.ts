import { expect, onTestFinished, test } from "vitest";
import { openTestDatabase } from "../../test/database/database.ts";
import { dieAfterClaim, startRequest } from "../../test/database/request.ts";
import { REPORTING_GRACE_MS } from "../modules/referrals/create-referral.ts";
import { watchSenders } from "./silent-senders.ts";

const db = await openTestDatabase();

/** Leaves an attempt on disk whose process died, so long after its deadline, and nothing of it in the outbox. */
async function silentSender(afterDeadlineMs: number) {
  const ledger = await startRequest(db);
  await dieAfterClaim(ledger);
  expect(await ledger.takeJobs()).toEqual([]);
  await db.pool.query(
    "UPDATE referral_requests SET attempt_deadline_at = now() - $2 * interval '1 millisecond' WHERE id = $1",
    [ledger.requestId, afterDeadlineMs],
  );
  return ledger;
}

async function look(): Promise<void> {
  const { promise, resolve: turned, reject: failed } = Promise.withResolvers<void>();
  const watching = watchSenders(db.pool, { turned, failed });
  onTestFinished(() => watching.stop());
  await promise.finally(() => watching.stop());
}

test("has a create call resolved whose process died, once its time is over", async () => {
  const { shop, requestId } = await silentSender(REPORTING_GRACE_MS);
  await look();
  const { rows } = await db.pool.query(
    "SELECT name, singleton_key AS key, payload, start_after <= now() AS due FROM outbox WHERE shop = $1",
    [shop],
  );
  expect(rows).toEqual([
    {
      name: "resolve-ambiguous",
      key: `${shop} ${requestId}`,
      payload: { shop, requestId },
      due: true,
    },
  ]);
});

test("leaves a sender alone that may still write down what it learnt", async () => {
  const { takeJobs } = await silentSender(REPORTING_GRACE_MS - 3_000);
  await look();
  expect(await takeJobs()).toEqual([]);
});

test("looks for it in a shop that has taken the app off, and when a person has to see to the request", async () => {
  const { shop, requestId, takeJobs } = await silentSender(60_000);
  await db.pool.query("UPDATE shops SET uninstalled_at = now() WHERE shop = $1", [shop]);
  await db.pool.query(
    "UPDATE referral_requests SET review_code = 'details_overdue' WHERE id = $1",
    [requestId],
  );
  await look();
  expect(await takeJobs()).toEqual(["resolve-ambiguous"]);
});
