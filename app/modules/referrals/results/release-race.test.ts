import { expect, test } from "vitest";
import { startCreated } from "../../../../test/database/created.ts";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { untilWaiting, whoHoldsRequest } from "../../../../test/database/locks.ts";
import { RELEASE, REVIEWER } from "../../../../test/database/seed.ts";
import { resultSnapshot } from "../../../../test/database/snapshots.ts";
import { repeatedTransactions } from "../../../platform/counters.ts";
import { heldVersion } from "../held-version.ts";
import { releaseResults } from "../release-result.ts";
import { refetchResult } from "./refetch-result.ts";

const db = await openTestDatabase();
const repeated = () => repeatedTransactions.values().reduce((sum, { value }) => sum + value, 0);

/** A held result that its policy does not release, and a way to read it again from the service. */
async function start() {
  const created = await startCreated(db, {
    settings: { releasePolicy: "hold_all", reviewer: REVIEWER },
  });
  const { shop, ports, requestId } = created;
  const [referralUuid = ""] = created.uuids();
  const snapshot = resultSnapshot({ referralUuid, resultAttachment: null });
  const real = await ports.services.forConnection(shop, "staging");
  if (!real) throw new Error("no service");
  const services = { forConnection: async () => ({ ...real, getResult: async () => snapshot }) };
  const target = { shop, environment: "staging", uuid: snapshot.uuid } as const;
  const refetch = () => refetchResult({ ...ports, services }, target);
  await refetch();
  return {
    refetch,
    release: (seen: string | null = null) =>
      releaseResults(ports, { shop, requestId, actor: "staff:7", record: RELEASE, seen }),
    version: () =>
      db.tenancy.inShop(shop, async (t) => heldVersion(await t.results.forRequests([requestId]))),
    /** Runs the change of somebody else just before, and returns the outcome. */
    async after<T>(change: string, doIt: () => Promise<T>): Promise<T> {
      const before = repeated();
      const other = await whoHoldsRequest(db, requestId);
      const waiting = doIt();
      await untilWaiting(db, 1);
      await other.change(`UPDATE results SET ${change} WHERE uuid = $1`, snapshot.uuid);
      await other.end();
      const outcome = await waiting;
      // It waited at its beginning: a deadlock, after which it would begin anew, hides that it had read before.
      expect(repeated()).toBe(before);
      return outcome;
    },
    isReleased: () =>
      db.tenancy.inShop(
        shop,
        async (t) => (await t.results.find(snapshot.uuid))?.releasedAt !== null,
      ),
  };
}

test("a result that is released while it is read again stays released", async () => {
  const { refetch, after, isReleased } = await start();
  await after("released_at = now()", refetch);
  expect(await isReleased()).toBe(true);
});

test("a person’s release waits for what is being decided about the same result", async () => {
  const { release, after, isReleased } = await start();
  expect(await after("in_review = true", () => release())).toEqual({ kind: "nothing_held" });
  expect(await isReleased()).toBe(false);
});

test("a person’s release waits for new figures of the same result, which nobody has seen then", async () => {
  const { release, version, after, isReleased } = await start();
  const seen = await version();
  expect(await after("figures_at = now()", () => release(seen))).toEqual({
    kind: "changed_meanwhile",
  });
  expect(await isReleased()).toBe(false);
});
