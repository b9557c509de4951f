import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { CREATE_TIMEOUT_MS } from "../../../../test/database/ledger.ts";
import { startOddService } from "../../../../test/database/odd-service.ts";
import { answer } from "../../../clients/referral-service/testing/start-server.ts";
import { wireReferral } from "../../../clients/referral-service/testing/wire-samples.ts";
import { REPORTING_GRACE_MS } from "../create-referral.ts";

const db = await openTestDatabase();

/** A service whose first status of a referral needs somebody. `answers` says when a create call is answered, and whether. */
async function start(answers: () => Promise<"answer" | "reset">) {
  const made: Record<string, unknown>[] = [];
  const sent = Promise.withResolvers<void>();
  const odd = await startOddService(db, async ({ method, body, target }, response) => {
    if (method === "GET" && target.includes("?"))
      return answer(response, 200, { cursor: { resultCount: made.length }, referrals: made });
    if (method === "GET") return answer(response, 200, made[0]);
    const { referenceNumber, metadata } = JSON.parse(body);
    const says = { referenceNumber, metadata, status: "BILLING_FAILED" };
    made.push(wireReferral({ uuid: randomUUID(), ...says }));
    sent.resolve();
    if ((await answers()) === "reset") return response.destroy();
    answer(response, 200, made[0]);
  });
  const rows = async (text: string) => (await db.pool.query(text, [odd.requestId])).rows;
  return {
    ...odd,
    uuid: () => String(made[0]?.uuid),
    sent: sent.promise,
    lines: () =>
      rows(
        "SELECT detail->>'from' AS from, detail->>'to' AS to FROM timeline WHERE request_id = $1 AND kind = 'referral_status'",
      ),
    mails: () =>
      rows(
        "SELECT split_part(occurrence, ' ', 1) AS news FROM notifications WHERE request_id = $1 AND kind = 'state_changed'",
      ),
  };
}

const ONE_LINE = [{ from: null, to: "BILLING_FAILED" }];
const ONE_MAIL = [{ news: "billing" }];

test.each(["a scan", "an event"])(
  "tells a first status once, though its answer comes after %s found it",
  async (finder) => {
    const late = Promise.withResolvers<"answer">();
    const one = await start(() => late.promise);
    // The answer is awaited by the real clock while the other one leaps.
    one.ports.waits.createTimeoutMs = 60_000;
    const creating = one.create();
    await one.sent;
    if (finder === "a scan") {
      one.clock.advance(60_000 + REPORTING_GRACE_MS);
      expect(await one.resolve()).toEqual({ kind: "linked", uuids: [one.uuid()] });
    }
    await one.refetch(one.uuid());
    expect(await one.lines()).toEqual(ONE_LINE);
    late.resolve("answer");
    expect(await creating).toEqual({ kind: "created", uuids: [one.uuid()] });
    await one.refetch(one.uuid());
    expect(await one.lines()).toEqual(ONE_LINE);
    expect(await one.mails()).toEqual(ONE_MAIL);
  },
);

test("tells the first status of a referral whose answer got lost", async () => {
  const one = await start(async () => "reset");
  expect(await one.create()).toEqual({ kind: "ambiguous" });
  one.clock.advance(CREATE_TIMEOUT_MS + REPORTING_GRACE_MS);
  expect(await one.resolve()).toEqual({ kind: "linked", uuids: [one.uuid()] });
  await one.refetch(one.uuid());
  expect(await one.lines()).toEqual(ONE_LINE);
  expect(await one.mails()).toEqual(ONE_MAIL);
});
