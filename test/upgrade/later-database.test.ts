import { readFileSync } from "node:fs";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { checkLogins, type DatabaseAccess } from "../../app/database-access.ts";
import { migrateDatabase } from "../../app/migrate-database.ts";
import { shareConnections } from "../../app/platform/database/connection-shares.ts";
import { openProcessDatabase } from "../../app/platform/database/database.ts";
import { loginAs } from "../../app/platform/database/logins.ts";
import { identityCheck } from "../../app/platform/database/pause-after-restore.ts";
import { createSealers } from "../../app/platform/encryption/sealers.ts";
import { createLogger } from "../../app/platform/logger.ts";
import { watchReadiness } from "../../app/queue/readiness.ts";
import { createTenancy } from "../../app/tenancy.ts";
import { START } from "../database/clock.ts";
import { openTestDatabase } from "../database/database.ts";
import { installedShop, readyRequest } from "../database/seed.ts";

/**
 * A database that a later version has migrated, as its migrations are meant to: it has more of everything, and nothing that
 * this version uses is gone.
 */
const db = await openTestDatabase();
const LATER = "20991231000000_later_things";
await db.pool.query(
  `CREATE TABLE later_things (shop TEXT NOT NULL, id UUID NOT NULL, PRIMARY KEY (shop, id));
   ALTER TABLE orders ADD COLUMN later_note TEXT;
   ALTER TABLE referral_requests ADD COLUMN later_count INTEGER NOT NULL DEFAULT 0;
   INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count)
     VALUES ('later', 'later', '${LATER}', now(), 1)`,
);
const access = readFileSync(new URL("../../prisma/access.sql", import.meta.url), "utf8");
await db.pool.query(access.replace("  alert_mails,", "  later_things, alert_mails,"));

const tenantKey = await db.tenantKey();
const urls: DatabaseAccess = {
  databaseUrl: loginAs(db.url, "pathway_web"),
  processUrl: loginAs(db.url, "pathway_worker"),
  intakeUrl: loginAs(db.url, "pathway_intake"),
  tenantKey,
};
const database = openProcessDatabase({
  ...{ url: urls.databaseUrl, processUrl: urls.databaseUrl, tenantKey },
  ...{ connections: shareConnections(4), onError: () => {}, onConnect: identityCheck(() => {}) },
});
afterAll(() => database.close());
const sealers = createSealers(database.pool, db.masterKeys, db.epochs);
const tenancy = createTenancy({ database, sealers, onJobs: () => {} });

test("lets a process of this version start and be ready", async () => {
  await expect(checkLogins(urls, ["web", "worker"])).resolves.toBeUndefined();
  const looks: (() => string | null)[] = [];
  const turned = Promise.withResolvers<void>();
  const readiness = watchReadiness({
    ...{ pool: database.pool, everyMs: 20 },
    tryTenant: () => tenancy.inShop("one.myshopify.com", async (t) => void (await t.shops.find())),
    logger: createLogger("silent"),
    vitals: {
      watch: (look) => void looks.push(look),
      loop: () => ({ turned: turned.resolve, failed: turned.reject }),
    },
  });
  onTestFinished(() => readiness.stop());
  await turned.promise;
  expect(looks.flatMap((look) => look() ?? [])).toEqual([]);
});

test("takes the work of a process of this version", async () => {
  const of = { ...db, ...database, sealers, tenancy };
  const shop = await installedShop(db);
  await tenancy.inShop(shop, (tenant) => tenant.shops.install("", START));
  const requestId = await readyRequest(of, shop);
  const request = await tenancy.inShop(shop, (tenant) => tenant.requests.find(requestId));
  expect(request).toMatchObject({ id: requestId, state: "ready" });
});

test("keeps what the later version may do when this version's npm run migrate is run again", async () => {
  const said: string[] = [];
  await migrateDatabase(db.url, { say: (line) => said.push(line) });
  expect(said.join("\n")).toContain(`of a later version (it has ${LATER})`);
  const { rows } = await db.pool.query(
    `SELECT has_table_privilege('pathway_tenant', 'later_things', 'INSERT') AS "isGranted",
            EXISTS (SELECT FROM access_grants WHERE table_name = 'later_things') AS "isNoted"`,
  );
  expect(rows).toEqual([{ isGranted: true, isNoted: true }]);
});
