/** A connection whose stored credentials can't be opened, where nothing is sent: the merchant reads it, is emailed, and mends it. */
import { afterAll, expect, test } from "vitest";
import { alertRun } from "../../../test/database/alert-run.ts";
import { openTestDatabase } from "../../../test/database/database.ts";
import { startMailServer } from "../../../test/database/mail-server.ts";
import { startReadingCredentials } from "../../../test/database/read-credentials.ts";
import { connect } from "../../../test/database/seed.ts";
import { describeFailure } from "../../clients/referral-service/failures/describe-failure.ts";
import { syncConnection } from "../referrals/sync-connection.ts";
import { tellWaiting } from "../referrals/tell-waiting.ts";
import { readHome } from "../reports/read-home.ts";
import { CUT_OFF_AFTER_MS, isConnected } from "../shops/connection.ts";
import { createConnectionSecrets } from "../shops/postgres/connection-secrets.ts";
import { ALERT_AFTER_MS, alertOutage } from "./alert-outage.ts";
import { describeOutage, describeTestNow } from "./connection-words.ts";
import { readFailing } from "./read-failing.ts";
import { saveConnection } from "./save-connection.ts";
import { testConnection } from "./test-connection.ts";

const db = await openTestDatabase();
const server = await startMailServer();
afterAll(() => server.stop());
const environment = "staging" as const;
const SHUT = { code: "sealed_damaged" };

/** A shop that awaits results alone, at a connection whose credentials are read for each call. */
async function start() {
  const created = await startReadingCredentials(db);
  const { shop, clock, ports } = created;
  const run = alertRun(db, shop, server.url);
  await db.tenancy.inShop(shop, (tenant) => tenant.shops.setContactEmail(`${shop}@example.com`));
  return {
    ...created,
    sync: () => syncConnection(ports, { shop, environment }),
    press: () => testConnection(ports, { shop, environment }),
    stored: () => db.tenancy.inShop(shop, ({ connections }) => connections.find(environment)),
    outage: async () =>
      describeOutage(await readFailing(ports, shop), { now: clock.now(), describeFailure }),
    /** The subjects of the emails to the merchant, once those that are due were sent. */
    async told() {
      await alertOutage(ports, { shop, environment });
      await run.runJobs();
      return run.mails.map(({ subject }) => subject);
    },
    mails: run.mails,
    deleteReferrals: () => db.pool.query("DELETE FROM referrals WHERE shop = $1", [shop]),
  };
}

test("a test of the connection says that its credentials can't be read, and what to do", async () => {
  const { damage, press, stored, shop } = await start();
  await damage();
  expect(await press()).toMatchObject({ kind: "failed", code: "connection_unreadable" });
  const connection = await stored();
  if (!connection) throw new Error("no connection");
  expect(describeTestNow(connection, describeFailure)).toMatchObject({
    sentence: expect.stringContaining("can’t read the credentials"),
    nextStep: expect.stringContaining("Enter the client ID and the client secret again"),
  });
  expect(isConnected(connection)).toBe(false);
  await connect(db, shop);
  // The small service lists nothing that can be ordered.
  await press();
  expect((await stored())?.lastTestOutcome).not.toBe("connection_unreadable");
});

test("the merchant reads and is emailed that they can't be read though nothing is to be sent", async () => {
  const { clock, damage, mails, outage, press, ports, shop, stored, sync, told, ...unit } =
    await start();
  expect(await sync()).toMatchObject({ kind: "synced" });
  expect(await outage()).toBeNull();
  await damage();
  await expect(sync()).rejects.toMatchObject(SHUT);
  const since = clock.now();
  expect((await readHome(ports, shop)).connection?.failing).toEqual({
    since,
    code: "connection_unreadable",
  });
  expect(await outage()).toMatchObject({
    title: "Pathway can’t read your credentials",
    isDown: true,
    action: { url: "/app/settings/connection" },
    nextStep: expect.stringContaining("again in the settings"),
  });
  const [order] = [(await unit.find())?.orderId];
  if (!order) throw new Error("no order");
  const waits = await db.tenancy.inShop(shop, ({ overview }) => overview.waits([order]));
  expect(waits.get(order)).toEqual([{ kind: "credentials", since }]);
  clock.advance(ALERT_AFTER_MS);
  await expect(sync()).rejects.toMatchObject(SHUT);
  expect(await told()).toEqual(["Pathway can’t read your credentials for the referral service"]);
  expect(mails[0]?.text).toContain("Enter the client ID and the client secret again");
  expect((await stored())?.failing?.since).toEqual(since);
});

test.each(["by entering them again", "by putting the keys right"])(
  "that is over once they can be read, %s, also where nothing calls the service",
  async (how) => {
    const { clock, damage, deleteReferrals, outage, shop, sync, told } = await start();
    await damage();
    await expect(sync()).rejects.toMatchObject(SHUT);
    clock.advance(ALERT_AFTER_MS);
    await told();
    await deleteReferrals();
    if (how === "by entering them again") await connect(db, shop);
    else await damage();
    expect(await sync()).toEqual({ kind: "nothing_open" });
    expect(await outage()).toBeNull();
    expect(await told()).toHaveLength(2);
  },
);

test("whoever waits for results is told after a day, as where the service refuses the credentials", async () => {
  const { clock, damage, ports, shop, sync, takeJobs } = await start();
  await damage();
  await expect(sync()).rejects.toMatchObject(SHUT);
  expect(await takeJobs()).toContain("tell-waiting");
  clock.advance(CUT_OFF_AFTER_MS);
  expect(await tellWaiting(ports, { shop, environment })).toMatchObject({ kind: "told" });
});

test("pages show a connection of which nothing can be read, and new credentials are taken", async () => {
  const { outage, ports, shop, stored, sync } = await start();
  const signed = { scheme: "hmac-hex" as const, header: null, secret: "one" };
  await db.tenancy.inShop(shop, (tenant) =>
    tenant.connections.save({ environment, credentials: null, signing: signed }),
  );
  const address = (await stored())?.addressToken ?? "";
  for (const column of ["client_id", "client_secret", "address", "signing_secret"])
    await db.pool.query(
      `UPDATE connections SET ${column}_sealed =
         set_byte(${column}_sealed, 30, 255 - get_byte(${column}_sealed, 30)) WHERE shop = $1`,
      [shop],
    );
  await expect(sync()).rejects.toMatchObject(SHUT);
  expect(await stored()).toMatchObject({ clientId: null, addressToken: null });
  expect((await readHome(ports, shop)).connection?.failing?.code).toBe("connection_unreadable");
  const credentials = { clientId: "id", clientSecret: "secret" };
  const saved = await saveConnection(ports, {
    shop,
    input: { environment, credentials, signing: { ...signed, secret: "two" } },
    actor: "staff:1",
  });
  expect(saved.kind).toBe("saved");
  expect(await stored()).toMatchObject({ clientId: "id", addressToken: null });
  await sync();
  expect(await outage()).toBeNull();
  // The service goes on sending to the address that it has.
  const found = await createConnectionSecrets(db.pool, db.sealers).byAddress(address);
  expect(found).toMatchObject({ shop, signing: { secret: "two", previousSecrets: [] } });
});
