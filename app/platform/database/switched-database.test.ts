import { beforeEach, describe, expect, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import { type Ledger, startLedger } from "../../../test/database/ledger.ts";
import { connect, readyRequest } from "../../../test/database/seed.ts";
import { saveConnection } from "../../modules/lifecycle/save-connection.ts";
import { createReferral } from "../../modules/referrals/create-referral.ts";
import { createTenancy } from "../../tenancy.ts";
import { askPool } from "../encryption/data-keys.ts";
import { createSealers } from "../encryption/sealers.ts";
import { DatabaseNotWritable } from "../errors.ts";
import { openDatabase } from "./database.ts";
import { identityCheck, pauseAfterRestore, type Restored } from "./pause-after-restore.ts";

const db = await openTestDatabase();
let ledger: Ledger;

beforeEach(async () => {
  await db.pool.query("DELETE FROM database_identity");
  ledger = await startLedger(db);
  await connect(db, ledger.shop);
  await pauseAfterRestore(db.pool, { asked: false });
});

/** The database behind the address is another one from here on, and nobody was told. */
const switchOver = () => db.pool.query("UPDATE database_identity SET identity = 'the original'");
const send = (requestId: string) => createReferral(ledger.ports, { shop: ledger.shop, requestId });
const pausedCount = async () => {
  const { rows } = await db.pool.query<{ count: number }>(
    "SELECT count(*)::int FROM connections WHERE shop = $1 AND paused_at IS NOT NULL",
    [ledger.shop],
  );
  return rows[0]?.count;
};

describe("the claim or the connection, when the database is another one than before", () => {
  test("refuses the claim, pauses sending and starts the walk and the order import", async () => {
    const requestId = await readyRequest(db, ledger.shop);
    await switchOver();
    expect(await send(requestId)).toEqual({ kind: "postponed", until: null });
    expect(ledger.service.calls).toEqual([]);
    expect(await ledger.state(requestId)).toBe("ready");
    expect(await pausedCount()).toBe(1);
    expect(await ledger.takeJobs()).toEqual([
      "import-orders",
      "sync-connection",
      "replay-erasures",
    ]);
  });

  test("pauses sending before a new connection is used, and tells it once", async () => {
    const told: Restored[] = [];
    await switchOver();
    const database = openDatabase({
      url: db.url,
      poolSize: 4,
      onError: () => {},
      onConnect: identityCheck((restored) => told.push(restored)),
    });
    try {
      const paused = () => database.pool.query("SELECT FROM connections WHERE paused_at IS NULL");
      const found = await Promise.all([paused(), paused(), paused(), paused()]);
      expect(found.map(({ rowCount }) => rowCount)).toEqual([0, 0, 0, 0]);
      expect(told.map(({ because }) => because)).toEqual(["identity"]);
    } finally {
      await database.close();
    }
  });

  test("sends when the database is the same", async () => {
    expect(await send(await readyRequest(db, ledger.shop))).toMatchObject({ kind: "created" });
    expect(await pausedCount()).toBe(0);
  });
});

test("pauses a connection that is saved after the switch until its list has been walked", async () => {
  const { shop, clock } = ledger;
  await db.tenancy.inShop(shop, (tenant) => tenant.connections.remove("staging"));
  await db.pool.query("DELETE FROM outbox");
  await switchOver();
  await pauseAfterRestore(db.pool, { asked: false, now: clock.now() });
  await db.pool.query("UPDATE database_identity SET switched_at = now()");
  const credentials = { clientId: "id", clientSecret: "secret" };
  const signing = { scheme: "none", header: null, secret: null } as const;
  const input = { environment: "staging", credentials, signing } as const;
  await saveConnection(ledger.ports, { shop, input, actor: "staff:1" });
  expect(await ledger.takeJobs()).toContain("sync-connection");
  const requestId = await readyRequest(db, shop);
  expect(await send(requestId)).toEqual({ kind: "postponed", until: null });
});

test("refuses every connection while the database is a standby, and goes on when it is promoted", async () => {
  const { rows } = await db.pool.query<{ code: string }>(
    "SELECT pg_get_functiondef('live_identity'::regproc) AS code",
  );
  const requestId = await readyRequest(db, ledger.shop);
  const standby = openDatabase({
    url: db.url,
    poolSize: 2,
    onError: () => {},
    onConnect: identityCheck(() => {}),
  });
  try {
    await db.pool.query(
      "CREATE OR REPLACE FUNCTION live_identity() RETURNS text LANGUAGE sql AS 'SELECT NULL::text'",
    );
    await expect(standby.pool.query("SELECT 1")).rejects.toThrow(DatabaseNotWritable);
    await expect(send(requestId)).rejects.toThrow(DatabaseNotWritable);
    expect(ledger.service.calls).toEqual([]);
    await db.pool.query(rows[0]?.code ?? "");
    expect((await standby.pool.query("SELECT 1")).rowCount).toBe(1);
    expect(await pausedCount()).toBe(0);
  } finally {
    await db.pool.query(rows[0]?.code ?? "");
    await standby.close();
  }
});

test("a connection asks once which database it leads to", async () => {
  const client = await db.pool.connect();
  const keep = (identity: string) =>
    client.query("SELECT set_config('pathway.identity', $1, false)", [identity]);
  const ask = async () =>
    (await client.query<{ identity: string }>("SELECT live_identity() AS identity")).rows[0]
      ?.identity;
  try {
    await keep("");
    const identity = await ask();
    const { rows } = await client.query("SELECT current_setting('pathway.identity') AS kept");
    expect(rows).toEqual([{ kept: identity }]);
    await keep("what was kept");
    expect(await ask()).toBe("what was kept");
    await keep("");
    expect(await ask()).toBe(identity);
  } finally {
    client.release(true);
  }
});

test("a connection asks each time where only the last checkpoint tells, which may be older than a promotion", async () => {
  const allow = (word: string) =>
    db.pool.query(
      `${word} EXECUTE ON FUNCTION pg_walfile_name(pg_lsn) ${word === "GRANT" ? "TO" : "FROM"} PUBLIC`,
    );
  const client = await db.pool.connect();
  await allow("REVOKE");
  try {
    const [before] = (await client.query("SELECT live_identity() AS identity")).rows;
    await client.query("SELECT set_config('pathway.identity', '', false)");
    // Of those who may ask, and may do less than the owner.
    await client.query("SET ROLE pathway_tenant");
    const [row] = (await client.query("SELECT live_identity() AS identity")).rows;
    expect(row).toEqual(before);
    const { rows } = await client.query("SELECT current_setting('pathway.identity') AS kept");
    expect(rows).toEqual([{ kept: "" }]);
  } finally {
    client.release(true);
    await allow("GRANT");
  }
});

describe("an answer to an attempt that the database has forgotten", () => {
  /** The claim is lost while the call is under way; `forget` says what the standby knows. */
  async function lost(
    behaviour: "create" | "reset_after" | "reject" | "reset_before",
    forget: (requestId: string) => Promise<unknown> = (requestId) =>
      db.pool.query(
        `UPDATE referral_requests SET state = 'ready', attempt = 0, attempt_started_at = NULL,
           attempt_deadline_at = NULL, recovery_lower_bound = NULL WHERE id = $1`,
        [requestId],
      ),
  ) {
    const requestId = await readyRequest(db, ledger.shop);
    ledger.service.next(behaviour);
    const { services } = ledger.ports;
    const forConnection: typeof services.forConnection = async (...of) => {
      await db.pool.query("DELETE FROM outbox");
      await forget(requestId);
      await switchOver();
      return services.forConnection(...of);
    };
    const outcome = await createReferral(
      { ...ledger.ports, services: { forConnection } },
      { shop: ledger.shop, requestId },
    );
    const find = () => db.tenancy.inShop(ledger.shop, (t) => t.requests.find(requestId));
    return { requestId, outcome, find };
  }

  test("links the referral when it was created", async () => {
    const { outcome, find } = await lost("create");
    expect(outcome.kind).toBe("created");
    expect(await find()).toMatchObject({ state: "created" });
    expect(await pausedCount()).toBe(1);
  });

  test("makes the request unclear and starts the recovery scan when the outcome is unknown", async () => {
    const { outcome, find } = await lost("reset_after");
    expect(outcome.kind).toBe("ambiguous");
    expect(await find()).toMatchObject({ state: "ambiguous", attempt: 1, emptyScans: 0 });
    expect((await find())?.attemptDeadlineAt).not.toBeNull();
    expect((await find())?.recoveryLowerBound).not.toBeNull();
    expect(await ledger.takeJobs()).toContain("resolve-ambiguous");
  });

  test("leaves the request as the database has it when the service refused it", async () => {
    const { find } = await lost("reject");
    expect(await find()).toMatchObject({ state: "ready", attempt: 0 });
  });

  test("changes no later attempt that has the same number", async () => {
    const later = new Date(ledger.clock.now().getTime() + 3_600_000);
    const { find } = await lost("reject", (requestId) =>
      db.pool.query("UPDATE referral_requests SET attempt_deadline_at = $2 WHERE id = $1", [
        requestId,
        later,
      ]),
    );
    expect(await find()).toMatchObject({ state: "sending", attempt: 1 });
  });

  test("keeps the referral for the order import when the order is gone", async () => {
    const { find } = await lost("create", (requestId) =>
      db.pool.query("DELETE FROM referral_requests WHERE id = $1", [requestId]),
    );
    expect(await find()).toBeNull();
    const { rows } = await db.pool.query(
      "SELECT uuid, reference_number FROM unclaimed_referrals WHERE shop = $1",
      [ledger.shop],
    );
    const [referral] = ledger.service.referrals;
    expect(rows).toEqual([
      { uuid: referral?.uuid, reference_number: ledger.service.calls[0]?.referenceNumber },
    ]);
  });
});

const startProcess = () => {
  const sealers = createSealers(db.pool, db.masterKeys, db.epochs);
  return { sealers, ...createTenancy({ database: db, sealers, onJobs: () => {} }) };
};
/** The standby had not heard of this key yet. */
const loseKey = (subject: string) =>
  db.pool.query("DELETE FROM data_keys WHERE shop = $1 AND subject LIKE '%' || $2", [
    ledger.shop,
    subject,
  ]);

test("seals nothing with a key that was made on the server that is lost, whichever process noticed first", async () => {
  const { shop } = ledger;
  const [first, second] = [startProcess(), startProcess()];
  const requestId = await readyRequest(db, shop);
  const details = (process: typeof first) =>
    process.inShop(shop, (tenant) => tenant.requests.patientOf(requestId));
  const given = await details(second);
  if (!given) throw new Error("the request has no details");
  expect(await details(first)).toEqual(given);
  await loseKey(requestId);
  await switchOver();
  const save = (process: typeof first) =>
    process.inShop(shop, (tenant) => tenant.requests.savePatient(requestId, given, new Date()));
  await first.inShop(shop, (tenant) => tenant.shops.find());
  await save(second);
  expect(await details(startProcess())).toEqual(given);
  await save(first);
  expect(await details(startProcess())).toEqual(given);
});

test("seals nothing with the lost server's key when the keys were read before the first transaction", async () => {
  const { shop } = ledger;
  // As the intake does, and the relay.
  const process = startProcess();
  await process.sealers.forShop(shop);
  await loseKey("messages");
  await switchOver();
  await pauseAfterRestore(db.pool, { asked: false });
  await process.inShop(shop, (tenant) => tenant.inbox.parkOrder("gid://shopify/Order/77"));
  const { rows } = await db.pool.query<{ id: string }>("SELECT id FROM inbox WHERE shop = $1", [
    shop,
  ]);
  const found = await startProcess().inShop(shop, (t) => t.inbox.find(rows[0]?.id ?? ""));
  expect(String(found?.body)).toContain("77");
});

test("seals nothing with a patient's key of the lost server when the shop's own keys were read since", async () => {
  const { shop } = ledger;
  const process = startProcess();
  const requestId = await readyRequest(db, shop);
  const details = (of: typeof process) =>
    of.inShop(shop, (tenant) => tenant.requests.patientOf(requestId));
  const given = await details(process);
  if (!given) throw new Error("the request has no details");
  const ask = askPool(db.pool);
  const former = await process.sealers.forShop(shop);
  const subject = { request: requestId };
  await process.sealers.subjects(shop, former, ask).openers([subject]);
  await loseKey(requestId);
  await switchOver();
  await pauseAfterRestore(db.pool, { asked: false });
  const present = await startProcess().sealers.forShop(shop);
  const sealed = await process.sealers.subjects(shop, present, ask).sealer(subject);
  expect(present.switchedAt).not.toBe(former.switchedAt);
  const field = { table: "referral_requests", column: "patient", row: requestId };
  const value = sealed.seal(field, "details");
  const { sealers } = startProcess();
  const other = await sealers.subjects(shop, await sealers.forShop(shop), ask).opener(subject);
  expect(String(other.open(field, value))).toBe("details");
});
