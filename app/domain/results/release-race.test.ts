import { expect, test } from "vitest";
import { startCreated } from "../../../test/database/created.ts";
import { openTestDatabase } from "../../../test/database/database.ts";
import { resultSnapshot } from "../../../test/database/snapshots.ts";
import { refetchResult } from "./refetch-result.ts";
import { releaseResults } from "./release-result.ts";

const db = await openTestDatabase();

/** A held result that its policy does not release, and a way to read it again from the service. */
async function start() {
  const created = await startCreated(db, { settings: { releasePolicy: "hold_all" } });
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
    release: () => releaseResults(ports, { shop, requestId, actor: "staff:7" }),
    /** Does something while one more writer has the request, and lets go of it once the others wait for it. */
    async whileHeld(waiters: () => Promise<unknown>[]) {
      const holder = await db.pool.connect();
      await holder.query("BEGIN");
      await holder.query("SELECT FROM referral_requests WHERE id = $1 FOR UPDATE", [requestId]);
      const waiting = waiters();
      await expect.poll(waitingForLock, { timeout: 5000 }).toBe(waiting.length);
      return {
        change: (sql: string) => holder.query(sql, [snapshot.uuid]),
        async end() {
          await holder.query("COMMIT");
          holder.release();
          return Promise.all(waiting);
        },
      };
    },
    isReleased: () =>
      db.tenancy.inShop(
        shop,
        async (t) => (await t.results.find(snapshot.uuid))?.releasedAt !== null,
      ),
  };
}

test("a result that is released while it is read again stays released", async () => {
  const { refetch, whileHeld, isReleased } = await start();
  const held = await whileHeld(() => [refetch()]);
  await held.change("UPDATE results SET released_at = now() WHERE uuid = $1");
  await held.end();
  expect(await isReleased()).toBe(true);
});

test("a person’s release waits for what is being decided about the same result", async () => {
  const { release, whileHeld, isReleased } = await start();
  const held = await whileHeld(() => [release()]);
  await held.change("UPDATE results SET in_review = true WHERE uuid = $1");
  expect(await held.end()).toEqual([{ kind: "nothing_held" }]);
  expect(await isReleased()).toBe(false);
});

async function waitingForLock(): Promise<number> {
  const { rows } = await db.pool.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return rows[0]?.n ?? 0;
}
