import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { startCreated } from "../../../../test/database/created.ts";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { connect } from "../../../../test/database/seed.ts";
import { resultsOn } from "../../../clients/referral-service/listed-page.ts";
import { wireResult } from "../../../clients/referral-service/testing/wire-samples.ts";
import { readWire } from "../../../clients/referral-service/wire/read-wire.ts";
import { resultSchema } from "../../../clients/referral-service/wire/result.ts";
import { refetchWhenDue } from "../refetch-when-due.ts";
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

const NOBODY_READS = { biomarkers: [{ id: "ferritin", name: "Ferritin", isAbnormal: "perhaps" }] };

/** A test of ours whose referral announces no result, and what is asked for and told. */
async function startUnannounced() {
  const created = await startCreated(db);
  const { shop, clock, ports } = created;
  await connect(db, shop);
  const real = await ports.services.forConnection(shop, "staging");
  if (!real) throw new Error("no service");
  const [referralUuid] = created.uuids();
  const { referenceNumber } = (await created.find()) ?? {};
  const at = clock.now().toISOString();
  const uuid = randomUUID();
  return {
    ...created,
    uuid,
    referenceNumber,
    wire: { uuid, referralUuid, referenceNumber: null, createdAt: at, updatedAt: at },
    /** Asks for the result alone, for the last time before a person is told. */
    look(answer: object) {
      const text = JSON.stringify(answer);
      const getResult = async () => readWire(resultSchema, text, "GET");
      const services = { forConnection: async () => ({ ...real, getResult }) };
      const target = { shop, environment: "staging", uuid, behind: true } as const;
      return refetchWhenDue({ ...ports, services }, "refetch-result", target, { retries: 3 });
    },
    asked: async () =>
      (
        await db.pool.query<{ uuid: string }>(
          "SELECT payload->>'uuid' AS uuid FROM outbox WHERE shop = $1 AND name = 'refetch-result'",
          [shop],
        )
      ).rows.map((row) => row.uuid),
    reason: async () => (await created.find())?.reviewReason?.code ?? null,
  };
}

test.each(["referralUuid", "referenceNumber"] as const)(
  "a result that nobody can read is told with the order that it names by its %s",
  async (by) => {
    const one = await startUnannounced();
    const { referenceNumber, wire } = one;
    const named = by === "referralUuid" ? {} : { referralUuid: "41800273", referenceNumber };
    expect(await compare(one, [wireResult({ ...wire, ...named })])).toMatchObject({
      kind: "synced",
    });
    expect(await one.asked()).toEqual([one.uuid]);
    expect(await one.look(wireResult({ ...wire, ...NOBODY_READS, ...named }))).toEqual({
      kind: "unreadable",
    });
    expect(await one.reason()).toBe("unreadable_at_service");
    expect(await one.look(wireResult(wire))).toMatchObject({ kind: "stored" });
    expect(await one.reason()).toBeNull();
  },
);

test("a result that a list does not date is fetched though nothing else announces it", async () => {
  const one = await startUnannounced();
  await compare(one, [wireResult({ ...one.wire, updatedAt: null })]);
  expect(await one.asked()).toEqual([one.uuid]);
});

test("an unreadable answer about another result names no order", async () => {
  const one = await startUnannounced();
  const other = wireResult({ ...one.wire, ...NOBODY_READS, uuid: randomUUID() });
  expect(await one.look(other)).toEqual({ kind: "unreadable" });
  expect(await one.reason()).toBeNull();
});

test("a listed result without an id is told with its order, until a result of it is here", async () => {
  const one = await startUnannounced();
  const { referenceNumber, wire } = one;
  const nameless = { ...wireResult({ ...wire, referenceNumber }), uuid: 7 };
  await compare(one, [nameless]);
  expect(await one.reason()).toBe("unreadable_at_service");
  expect(await one.asked()).toEqual([]);
  expect(await one.look(wireResult(wire))).toMatchObject({ kind: "stored" });
  expect(await one.reason()).toBeNull();
  await compare(one, [nameless]);
  expect(await one.reason()).toBeNull();
});

test.each([
  "UPDATE referrals SET environment = 'production' WHERE shop = $1",
  "UPDATE referral_requests SET redacted_at = now() WHERE shop = $1",
])("nothing is told or asked for of a result after %s", async (change) => {
  const one = await startUnannounced();
  const { wire } = one;
  await db.pool.query(change, [one.shop]);
  await compare(one, [wireResult({ ...wire, updatedAt: null }), { ...wireResult(wire), uuid: 7 }]);
  expect(await one.asked()).toEqual([]);
  expect(await one.look(wireResult({ ...wire, ...NOBODY_READS }))).toEqual({ kind: "unreadable" });
  expect(await one.reason()).toBeNull();
});
