import { setTimeout as delay } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import { installedShop } from "../../../test/database/seed.ts";
import { createConnectionSecrets } from "../../modules/shops/postgres/connection-secrets.ts";
import { openProcessPool } from "../../platform/database/database.ts";
import { loginAs } from "../../platform/database/logins.ts";
import { createSealers } from "../../platform/encryption/sealers.ts";
import { startIntake, webhookHeaders } from "./testing/start-intake.ts";

const db = await openTestDatabase();
const BODY = JSON.stringify({ id: 1001 });

async function openPool(login: "pathway_web" | "pathway_intake", poolSize: number) {
  const pool = openProcessPool({
    ...{ url: loginAs(db.url, login), tenantKey: await db.tenantKey() },
    ...{ poolSize, onError: () => {} },
  });
  onTestFinished(() => pool.end());
  return pool;
}

/** A process whose other connections all wait for something, and which has read no key yet. */
async function startBusyProcess() {
  const others = await openPool("pathway_web", 1);
  const waiting = await others.connect();
  onTestFinished(() => waiting.release());
  const pool = await openPool("pathway_intake", 2);
  const sealers = createSealers(others, db.masterKeys, db.epochs).readingOn(pool);
  const secrets = createConnectionSecrets(pool, sealers);
  return { secrets, ...(await startIntake(db, { pool, sealers })) };
}

test("takes a message while all other connections of its process are busy", async () => {
  const shop = await installedShop(db);
  const { url } = await startBusyProcess();
  const headers = webhookHeaders(BODY, { "x-shopify-shop-domain": shop });
  const answer = await fetch(`${url}/webhooks`, { method: "POST", headers, body: BODY });
  expect(answer.status).toBe(200);
  expect((await db.pool.query("SELECT FROM inbox WHERE shop = $1", [shop])).rowCount).toBe(1);
});

test("finds an event's address and its secret while all other connections of its process are busy", async () => {
  const shop = await installedShop(db);
  const address = await db.tenancy.inShop(shop, async ({ connections }) => {
    await connections.save({
      environment: "staging",
      credentials: { clientId: "id", clientSecret: "secret" },
      signing: { scheme: "hmac-hex", header: "x-signature", secret: "signing-secret" },
    });
    return connections.find("staging");
  });
  const { secrets } = await startBusyProcess();
  const looked = secrets.byAddress(address?.addressToken ?? "");
  expect(await Promise.race([looked, delay(2_500, "waits", { ref: false })])).toMatchObject({
    signing: { secret: "signing-secret" },
  });
});
