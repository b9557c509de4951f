import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { startCreated } from "../../../../test/database/created.ts";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { connect } from "../../../../test/database/seed.ts";
import { resultsOn } from "../../../clients/referral-service/listed-page.ts";
import { wireResult } from "../../../clients/referral-service/testing/wire-samples.ts";
import { settledAfterMs } from "../resume-after-restore.ts";
import { syncConnection } from "../sync-connection.ts";

const db = await openTestDatabase();

/** Compares a service that lists these results. */
async function compare(
  { ports, shop }: Pick<Awaited<ReturnType<typeof startCreated>>, "ports" | "shop">,
  listed: object[],
) {
  const cursor = { cursor: "", count: 20, resultCount: listed.length };
  const text = JSON.stringify({ cursor, results: listed });
  const real = await ports.services.forConnection(shop, "staging");
  if (!real) throw new Error("no service");
  const resultPage = async () => resultsOn(text, "GET /v1/results");
  const services = { forConnection: async () => ({ ...real, resultPage }) };
  return syncConnection({ ...ports, services }, { shop, environment: "staging" });
}

test("a listed result that nobody can read stops neither the walk nor the pause after a restore", async () => {
  const created = await startCreated(db);
  const { shop, ports, clock } = created;
  await connect(db, shop);
  await db.pool.query("UPDATE connections SET paused_at = $2, restore_point = $2 WHERE shop = $1", [
    shop,
    clock.now(),
  ]);
  clock.advance(settledAfterMs(ports.waits));
  const [referralUuid] = created.uuids();
  const at = clock.now().toISOString();
  const times = { referralUuid, createdAt: at, updatedAt: at };
  const [readable, unreadable] = [randomUUID(), randomUUID()];
  const listed = [
    wireResult({ ...times, uuid: unreadable, biomarkers: [{ id: "ferritin", isAbnormal: "no" }] }),
    wireResult({ ...times, uuid: readable }),
  ];
  expect(await compare(created, listed)).toMatchObject({
    kind: "synced",
    repaired: 2,
  });
  const { rows } = await db.pool.query<{ uuid: string }>(
    "SELECT payload->>'uuid' AS uuid FROM outbox WHERE shop = $1 AND name = 'refetch-result'",
    [shop],
  );
  expect(rows.map(({ uuid }) => uuid)).toEqual([unreadable, readable]);
  expect(await db.tenancy.inShop(shop, (t) => t.restores.pause("staging"))).toBeNull();
});

test("a listed result whose referral's uuid is none stops no walk, and is told", async () => {
  const created = await startCreated(db);
  const { shop, clock } = created;
  await connect(db, shop);
  const [referralUuid] = created.uuids();
  const at = clock.now().toISOString();
  const times = { createdAt: at, updatedAt: at };
  const [readable, odd] = [randomUUID(), randomUUID()];
  const listed = [
    wireResult({ ...times, uuid: odd, referralUuid: "41800273" }),
    wireResult({ ...times, uuid: readable, referralUuid }),
  ];
  expect(await compare(created, listed)).toMatchObject({ kind: "synced" });
  const { rows } = await db.pool.query<{ uuid: string }>(
    "SELECT payload->>'uuid' AS uuid FROM outbox WHERE shop = $1 AND name = 'refetch-result'",
    [shop],
  );
  expect(rows.map(({ uuid }) => uuid)).toContain(readable);
  const told = await db.tenancy.inShop(shop, (t) => t.unreadable.list("staging", clock.now()));
  expect(told).toMatchObject([{ kind: "result", uuid: odd, field: "referralUuid invalid_format" }]);
});
