import { randomUUID } from "node:crypto";
import { afterAll, expect, onTestFinished, test, vi } from "vitest";
import { openTestDatabase } from "../../test/database/database.ts";
import { endWaitingHolders, whoHolds } from "../../test/database/locks.ts";
import { connect, installedShop } from "../../test/database/seed.ts";
import { SILENT_LOOP } from "../../test/database/vitals.ts";
import { readEvent } from "../clients/referral-service/events/read-event.ts";
import { READ_TOPICS, readWebhook } from "../clients/shopify/read-webhook.ts";
import type { ShopDomain } from "../modules/kernel/ids.ts";
import { sealBody } from "../modules/kernel/postgres/inbox.ts";
import { handleServiceEvent } from "../modules/referrals/handle-service-event.ts";
import { SELF_TEST_PREFIX } from "../modules/shops/self-test.ts";
import { systemClock } from "../platform/clock.ts";
import { createLogger } from "../platform/logger.ts";
import { startEngine } from "./engine.ts";
import { createInboxRouter } from "./inbox-router.ts";
import { startOutboxRelay } from "./outbox-relay.ts";

const logger = createLogger("silent");
const db = await openTestDatabase();
const engine = await startEngine({ databaseUrl: db.url, logger, poolSize: 2 });
afterAll(() => engine.stop());
const readers = { readMessage: readWebhook, readEvent: (body: Buffer) => readEvent(body, {}) };
const inboxRouter = createInboxRouter({
  ...{ sealers: db.sealers, topics: READ_TOPICS, logger, clock: systemClock },
  ...readers,
});

async function receive(shop: ShopDomain, body: unknown, eventId: string = randomUUID()) {
  const envelope = { source: "service", topic: "staging", eventId };
  const bytes = Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
  const { rows } = await db.pool.query<{ id: string }>(
    `INSERT INTO inbox (shop, source, topic, event_id, body_sealed)
     VALUES ($1, 'service', 'staging', $2, $3) RETURNING id`,
    [shop, eventId, sealBody(await db.sealers.forShop(shop), envelope, bytes)],
  );
  return rows[0]?.id ?? "";
}

const startRelay = () =>
  startOutboxRelay({ pool: db.pool, engine, inboxRouter, loop: SILENT_LOOP });
async function relayOnce() {
  const relay = startRelay();
  relay.wake();
  await relay.stop();
}

async function connectedShop() {
  const shop = await installedShop(db);
  await connect(db, shop);
  await db.pool.query("UPDATE connections SET signing_scheme = 'hmac-hex' WHERE shop = $1", [shop]);
  return shop;
}

const jobs = async (shop: ShopDomain) => {
  const { rows } = await db.pool.query<{ name: string; data: unknown; waits: number }>(
    `SELECT name, data, round(extract(epoch FROM start_after - created_on))::int AS waits FROM pgboss.job
     WHERE data->>'shop' = $1 ORDER BY name`,
    [shop],
  );
  return rows;
};
const message = async (id: string) =>
  (
    await db.pool.query(
      `SELECT state, body_sealed IS NOT NULL AS kept, event_type AS type, about, led_to AS "ledTo"
       FROM inbox WHERE id = $1`,
      [id],
    )
  ).rows[0];
const counted = async (shop: ShopDomain) =>
  (
    await db.pool.query(
      `SELECT events_received AS n, last_event_at > now() - interval '1 minute' AS lately,
              signed_event_at IS NOT NULL AS signed FROM connections WHERE shop = $1`,
      [shop],
    )
  ).rows[0];
const issued = (uuid: string) => ({ type: "referral.issued", data: { uuid } });

test("events about one referral become one look at it, and each counts on its connection", async () => {
  const shop = await connectedShop();
  const uuid = randomUUID();
  const ids = [await receive(shop, issued(uuid)), await receive(shop, issued(uuid))];
  await relayOnce();
  expect(await jobs(shop)).toEqual([
    { name: "refetch-referral", data: { shop, environment: "staging", uuid }, waits: 0 },
  ]);
  for (const id of ids)
    expect(await message(id)).toEqual({
      ...{ state: "done", kept: false, type: "referral.issued", about: uuid, ledTo: "fetch" },
    });
  expect(await counted(shop)).toEqual({ n: 2, lately: true, signed: true });
});

test("events that tell of figures share a look at the referral, and one at the result a second later", async () => {
  const shop = await connectedShop();
  const [referralUuid, resultUuid] = [randomUUID(), randomUUID()];
  for (const type of ["referral.complete", "result.created", "result.complete"])
    await receive(shop, { type, data: { referralUuid, resultUuid } });
  await relayOnce();
  const target = { shop, environment: "staging" };
  expect(await jobs(shop)).toEqual([
    { name: "refetch-referral", data: { ...target, uuid: referralUuid }, waits: 1 },
    { name: "refetch-result", data: { ...target, uuid: resultUuid }, waits: 2 },
  ]);
  expect(await counted(shop)).toMatchObject({ n: 3 });
});

test("a relay that stands still gives back its messages and connections: another one moves them", async () => {
  const shop = await connectedShop();
  const id = await receive(shop, issued(randomUUID()));
  const holds = Promise.withResolvers<void>();
  const goesOn = Promise.withResolvers<void>();
  const failed = Promise.withResolvers<unknown>();
  const frozen = startOutboxRelay({
    ...{ pool: db.pool, engine, maxIdleMs: 100 },
    inboxRouter: {
      topics: inboxRouter.topics,
      async decide(one) {
        holds.resolve();
        await goesOn.promise;
        return inboxRouter.decide(one);
      },
    },
    loop: { ...SILENT_LOOP, failed: failed.resolve },
  });
  onTestFinished(() => frozen.stop());
  frozen.wake();
  // The other one would take the message else, and this one have nothing to fail at.
  await holds.promise;
  await vi.waitFor(async () => {
    await relayOnce();
    expect(await message(id)).toMatchObject({ state: "done" });
  });
  goesOn.resolve();
  expect(await failed.promise).toBeInstanceOf(Error);
  expect(await counted(shop)).toMatchObject({ n: 1 });
  expect(await jobs(shop)).toHaveLength(1);
});

test("a connection that nobody has to sign for proves nothing by its events", async () => {
  const shop = await connectedShop();
  await db.pool.query("UPDATE connections SET signing_scheme = 'none' WHERE shop = $1", [shop]);
  await receive(shop, issued(randomUUID()));
  await relayOnce();
  expect(await counted(shop)).toMatchObject({ n: 1, signed: false });
});

const uuid = randomUUID();
test.each([
  ["that tells what a create call tells", { type: "referral.created", data: { uuid } }, undefined],
  ["that may take back what is shown", { type: "result.in_review", data: { uuid } }, undefined],
  [
    "of a type that nobody knows, about a result",
    { type: "result.new", data: { uuid } },
    undefined,
  ],
  ["that cannot be read", "{", undefined],
  ["that names nothing", { type: "referral.issued" }, undefined],
  ["of Pathway's own", issued(uuid), `${SELF_TEST_PREFIX}${randomUUID()}`],
])("an event %s has a job of its own, which counts it", async (_, body, eventId) => {
  const shop = await connectedShop();
  const inboxId = await receive(shop, body, eventId);
  await relayOnce();
  expect(await jobs(shop)).toMatchObject([
    { name: "handle-service-event", data: { shop, inboxId } },
  ]);
  expect(await message(inboxId)).toMatchObject({ state: "queued", kept: true });
  expect(await counted(shop)).toMatchObject({ n: 0 });
});

test.each([
  ["shop that has left", "UPDATE shops SET uninstalled_at = now() WHERE shop = $1"],
  ["connection that was removed", "DELETE FROM connections WHERE shop = $1"],
])("an event of a %s has a job of its own", async (_, sql) => {
  const shop = await connectedShop();
  await db.pool.query(sql, [shop]);
  const inboxId = await receive(shop, issued(randomUUID()));
  await relayOnce();
  expect(await jobs(shop)).toMatchObject([
    { name: "handle-service-event", data: { shop, inboxId } },
  ]);
});

test("an event whose connection somebody else is writing waits in a job of its own, and nobody else with it", async () => {
  const [busy, other] = [await connectedShop(), await connectedShop()];
  const holder = await whoHolds(
    db,
    "UPDATE connections SET answered_at = now() WHERE shop = $1",
    busy,
  );
  const inboxId = await receive(busy, issued(randomUUID()));
  await receive(other, issued(randomUUID()));
  await relayOnce();
  expect(await jobs(busy)).toMatchObject([{ name: "handle-service-event" }]);
  expect(await jobs(other)).toMatchObject([{ name: "refetch-referral" }]);
  await holder.end();
  const ports = { tenancy: db.tenancy, clock: { now: () => new Date() }, ...readers };
  expect(await handleServiceEvent(ports, { shop: busy, inboxId })).toBe("queued");
  for (const shop of [busy, other]) expect(await counted(shop)).toMatchObject({ n: 1 });
});

test("several relays side by side count each event once", async () => {
  const shop = await connectedShop();
  const ids: string[] = [];
  for (let event = 0; event < 450; event++) ids.push(await receive(shop, issued(randomUUID())));
  const relays = [startRelay(), startRelay(), startRelay()];
  for (const relay of relays) relay.wake();
  await Promise.all(relays.map((relay) => relay.stop()));
  await expect
    .poll(async () => {
      await relayOnce();
      const { rows } = await db.pool.query<{ n: number }>(
        "SELECT count(*)::int AS n FROM inbox WHERE shop = $1 AND state = 'received'",
        [shop],
      );
      return rows[0]?.n;
    })
    .toBe(0);
  const ports = { tenancy: db.tenancy, clock: { now: () => new Date() }, ...readers };
  // A pass that met another's had its events handled by jobs of their own.
  for (const { name, data } of await jobs(shop))
    if (name === "handle-service-event")
      await handleServiceEvent(ports, data as { shop: ShopDomain; inboxId: string });
  expect(await counted(shop)).toMatchObject({ n: ids.length });
  const { rows } = await db.pool.query<{ state: string; n: number }>(
    "SELECT state, count(*)::int AS n FROM inbox WHERE shop = $1 GROUP BY 1",
    [shop],
  );
  expect(rows).toEqual([{ state: "done", n: ids.length }]);
});

test("a pass that is killed before its commit has counted nothing, and keeps the event's body", async () => {
  const shop = await connectedShop();
  const inboxId = await receive(shop, issued(randomUUID()));
  const owner = await db.pool.connect();
  onTestFinished(() => owner.release());
  await owner.query("BEGIN");
  await owner.query("LOCK TABLE pgboss.job IN EXCLUSIVE MODE");
  const interrupted = startRelay();
  interrupted.wake();
  await expect.poll(() => endWaitingHolders(db, "inbox"), { timeout: 15_000 }).toBe(1);
  await interrupted.stop();
  await owner.query("ROLLBACK");
  expect(await message(inboxId)).toMatchObject({ state: "received", kept: true, ledTo: null });
  expect(await counted(shop)).toMatchObject({ n: 0 });
  await expect
    .poll(async () => {
      await relayOnce();
      return (await jobs(shop)).map(({ name }) => name);
    })
    .toEqual(["refetch-referral"]);
  expect(await counted(shop)).toMatchObject({ n: 1 });
});
