/** Long because each version of the proxy is tried in each of its modes, and with each of its refusals. */
import { randomBytes } from "node:crypto";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, describe, expect, test } from "vitest";
import { administer } from "../test/database/administer.ts";
import { temporaryKeyFolder } from "../test/database/database.ts";
import { PGBOUNCERS, type ProxySettings, startPgBouncer } from "../test/database/pgbouncer.ts";
import { startPostgres } from "../tools/embedded-postgres.ts";
import { checkLogins, type DatabaseAccess, readAccess } from "./database-access.ts";
import { migrateDatabase } from "./migrate-database.ts";
import { shareConnections } from "./platform/database/connection-shares.ts";
import { openProcessDatabase } from "./platform/database/database.ts";
import { isDatabaseAway } from "./platform/database/database-away.ts";
import { loginAs } from "./platform/database/logins.ts";
import { createEpochs } from "./platform/encryption/epochs.ts";
import { readMasterKeys } from "./platform/encryption/master-keys.ts";
import { createSealers } from "./platform/encryption/sealers.ts";
import { readTenantKeys } from "./platform/encryption/tenant-key.ts";
import { lazyAsync } from "./platform/lazy-async.ts";
import { createLogger } from "./platform/logger.ts";
import { startEngine } from "./queue/engine.ts";
import { createTenancy } from "./tenancy.ts";

const opened: (() => unknown)[] = [];
afterAll(async () => {
  for (const close of opened.toReversed()) await close();
});

/** Tests that end a server with themselves wait for no disk. */
const flags = ["-c", "fsync=off"];
const keys = `test:${randomBytes(32).toString("base64")}`;
const tenantKeys = readTenantKeys(keys);

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "pathway-pooled-"));
  opened.push(() => rmSync(folder, { recursive: true, force: true }));
  // The proxy, which is somebody else, reads its users here.
  chmodSync(folder, 0o755);
  return folder;
}

/** The folder of a migrated PostgreSQL, of which each test has a copy. */
const makeTemplate = lazyAsync(async () => {
  const server = await startPostgres({ dir: join(makeFolder(), "postgres"), port: 0, flags });
  await migrateDatabase(server.url, { tenantKeys });
  await server.stop();
  return server.dir;
});

/** A migrated PostgreSQL of its own. */
async function startServer() {
  const folder = makeFolder();
  const dir = join(folder, "postgres");
  const server = await startPostgres({ dir, port: 0, flags, template: await makeTemplate() });
  opened.push(() => server.stop());
  const direct = new URL(server.url);
  direct.hostname = "127.0.0.1";
  return { folder, direct };
}

const through = (proxyUrl: string) => ({
  PATHWAY_ROLES: ["web", "worker"] as ("web" | "worker")[],
  PATHWAY_TENANT_KEYS: keys,
  DATABASE_URL: loginAs(proxyUrl, "pathway_web"),
  DATABASE_WORKER_URL: loginAs(proxyUrl, "pathway_worker"),
  DATABASE_INTAKE_URL: loginAs(proxyUrl, "pathway_intake"),
  DATABASE_DIRECT_URL: undefined,
});

/** Processes of one server, the one after the other, have these in common. */
const masterKeys = readMasterKeys(`test:${randomBytes(32).toString("base64")}`);
const epochs = createEpochs(temporaryKeyFolder(), masterKeys);

/** A process and its shops. It ends with the tests, or before. */
function openTenancy(
  access: DatabaseAccess,
  { connections, isPooled }: { connections: number; isPooled: boolean },
) {
  const database = openProcessDatabase({
    ...{ url: access.databaseUrl, processUrl: access.processUrl, tenantKey: access.tenantKey },
    ...{ connections: shareConnections(connections), isPooled, onError: () => {} },
  });
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= database.close();
    return closing;
  };
  opened.push(close);
  const sealers = createSealers(database.pool, masterKeys, epochs);
  return { database, tenancy: createTenancy({ database, sealers, onJobs: () => {} }), close };
}

/** Returns what a start says of its logins. */
const start = (access: DatabaseAccess): Promise<string> =>
  checkLogins(access, ["web", "worker"]).then(() => "may", String);

const WITHOUT_NAMES = {
  ...{ pools: "a transaction and keeps no names", mode: "transaction" as const },
  more: "max_prepared_statements = 0",
};

/** All that the next client finds on a connection, and that another one's transaction could have left there. */
const LEFT = `
  SELECT pg_backend_pid() AS pid,
         jsonb_build_object(
           'user', current_user, 'role', current_setting('role'), 'process', is_process(), 'entered', entered_shop(),
           'shop', nullif(current_setting('pathway.shop', true), ''),
           'signature', nullif(current_setting('pathway.signature', true), ''),
           'proof', nullif(current_setting('pathway.process', true), ''),
           'settings', (SELECT jsonb_object_agg(name, setting) FROM pg_settings
                        WHERE name IN ('search_path', 'statement_timeout', 'idle_in_transaction_session_timeout',
                                       'synchronous_commit', 'default_transaction_isolation', 'transaction_isolation')),
           'named', (SELECT count(*) FROM pg_prepared_statements),
           'locks', (SELECT count(*) FROM pg_locks WHERE pid = pg_backend_pid() AND locktype IN ('advisory', 'tuple', 'transactionid')),
           'seen', (SELECT count(*) FROM shops)) AS state`;

describe.each(PGBOUNCERS)("$title", (build) => {
  const testThrough = test.skipIf(!build.path);
  /** The address of one that ends with the tests. */
  async function startProxy(
    folder: string,
    databaseUrl: string,
    settings: ProxySettings,
  ): Promise<string> {
    const proxy = await startPgBouncer(build, folder, databaseUrl, settings);
    opened.push(() => proxy.kill());
    return proxy.url;
  }

  testThrough(
    "without PostgreSQL's own address a proxy that pools sessions will do, and one that pools transactions is refused",
    async () => {
      const { folder, direct } = await startServer();
      const pooling = await startProxy(folder, direct.href, {
        mode: "transaction",
        connections: 4,
      });
      expect(await start(readAccess(through(pooling)))).toMatch(
        /pools transactions: set DATABASE_DIRECT_URL/,
      );
      const keeping = await startProxy(folder, direct.href, { mode: "session", connections: 20 });
      const access = readAccess(through(keeping));
      expect(await start(access)).toBe("may");
      const engine = await startEngine({
        ...{ databaseUrl: access.processUrl, tenantKey: access.tenantKey, poolSize: 2 },
        logger: createLogger("silent"),
      });
      const { rows } = await engine.pool.query("SHOW synchronous_commit");
      expect(rows).toEqual([{ synchronous_commit: "off" }]);
      await engine.stop();
    },
    180_000,
  );

  testThrough(
    "a migration through a proxy that pools transactions is refused, and leaves nothing on its connections",
    async () => {
      const { folder, direct } = await startServer();
      const proxyUrl = await startProxy(folder, direct.href, {
        mode: "transaction",
        connections: 4,
      });
      const migrate = () => migrateDatabase(proxyUrl, { tenantKeys });
      await expect(migrate()).rejects.toThrow(/pools transactions: set DATABASE_DIRECT_URL/);
      const client = new pg.Client(direct.href);
      await client.connect();
      opened.push(() => client.end());
      const { rows } = await client.query("SELECT pid FROM pg_locks WHERE locktype = 'advisory'");
      expect(rows).toEqual([]);
      await expect(migrateDatabase(direct.href, { tenantKeys })).resolves.toBeUndefined();
    },
    180_000,
  );

  testThrough(
    "a proxy that takes no more clients, has no connection in time or is refused itself is a database that is away",
    async () => {
      const { folder, direct } = await startServer();
      /** The failure of a shop's transaction beside a client of the proxy and what that one does. */
      const failureBeside = async (
        settings: Partial<ProxySettings>,
        act: (other: pg.Client) => Promise<unknown>,
      ): Promise<unknown> => {
        const one = { mode: "transaction", connections: 1, ...settings } as const;
        const proxyUrl = await startProxy(folder, direct.href, one);
        const access = readAccess({ ...through(proxyUrl), DATABASE_DIRECT_URL: direct.href });
        expect(await start(access)).toBe("may");
        const { tenancy } = openTenancy(access, { connections: 8, isPooled: true });
        const other = new pg.Client(access.databaseUrl).on("error", () => {});
        await other.connect();
        opened.push(() => other.end());
        await act(other);
        return tenancy
          .inShop("shop-1.myshopify.com", (tenant) => tenant.shops.find())
          .then(
            () => null,
            (error: unknown) => error,
          );
      };
      const refuseLogin = () =>
        administer(
          direct.href,
          `ALTER ROLE pathway_web NOLOGIN;
           SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE usename = 'pathway_web'`,
        );
      const failures = [
        await failureBeside({ clients: 1 }, async () => null),
        await failureBeside({ more: "query_wait_timeout = 1" }, (other) => other.query("BEGIN")),
      ];
      const said = [/no more connections allowed/, /query_wait_timeout/];
      // An older one says nothing, and leaves whoever waits to their own limit of time.
      if (build.keepsNames) {
        failures.push(await failureBeside({}, refuseLogin));
        said.push(/not permitted to log in/);
      }
      expect(failures.map(String)).toEqual(said.map((words) => expect.stringMatching(words)));
      expect(failures.map(isDatabaseAway)).toEqual(said.map(() => true));
    },
    180_000,
  );

  testThrough(
    "shops keep apart through a proxy that pools transactions, and nothing of a process stays on its connections",
    async () => {
      const { folder, direct } = await startServer();
      const proxyUrl = await startProxy(folder, direct.href, {
        mode: "transaction",
        connections: 2,
      });
      const access = readAccess({ ...through(proxyUrl), DATABASE_DIRECT_URL: direct.href });
      const portOf = (url: string) => new URL(url).port;
      expect([access.processUrl, access.intakeUrl].map(portOf)).toEqual([direct.port, direct.port]);
      expect(await start(access)).toBe("may");

      const { database, tenancy } = openTenancy(access, { connections: 16, isPooled: true });
      const shops = Array.from({ length: 12 }, (_, n) => `shop-${n}.myshopify.com` as const);
      await Promise.all(
        shops.map((shop) =>
          tenancy.inShop(shop, (tenant) => tenant.shops.install("read_orders", new Date())),
        ),
      );
      const seen = await Promise.all(
        [...shops, ...shops].map((shop) =>
          tenancy.inShop(shop, async (tenant) => ({
            own: (await tenant.shops.find())?.installed,
            jobs: await tenant.jobs.enqueue({ name: "read-store", shop }),
          })),
        ),
      );
      expect(seen.every(({ own }) => own)).toBe(true);
      const { rows } = await database.pool.query(
        "SELECT shop, count(*)::int AS jobs FROM outbox GROUP BY 1 ORDER BY 1",
      );
      expect(rows).toEqual(shops.toSorted().map((shop) => ({ shop, jobs: 2 })));
      // A transaction that proves no shop sees none, whoever had the connection before.
      const bare = await Promise.all(
        shops.map(() =>
          database.tenantPool.query("SELECT entered_shop() AS shop, count(*)::int AS n FROM shops"),
        ),
      );
      expect(bare.map(({ rows: [row] }) => row)).toEqual(shops.map(() => ({ shop: null, n: 0 })));
    },
    180_000,
  );

  testThrough.each([
    { pools: "a transaction", mode: "transaction" as const },
    { pools: "a session", mode: "session" as const },
    ...(build.keepsNames ? [WITHOUT_NAMES] : []),
  ])(
    "a proxy that pools $pools gives on nothing of a shop, after COMMIT, ROLLBACK, or a transaction that nobody ended",
    async ({ mode, more = "" }: Pick<ProxySettings, "mode" | "more">) => {
      const { folder, direct } = await startServer();
      // Otherwise than a process wants it, so that what it left would be seen.
      const owner = new pg.Client(direct.href);
      await owner.connect();
      opened.push(() => owner.end());
      await owner.query(
        "ALTER ROLE pathway_web SET default_transaction_isolation = 'repeatable read'",
      );
      await owner.query("ALTER ROLE pathway_web SET synchronous_commit = off");
      await owner.query("ALTER ROLE pathway_web SET search_path = pg_catalog, public");
      const proxyUrl = await startProxy(folder, direct.href, { mode, connections: 1, more });
      const access = readAccess({ ...through(proxyUrl), DATABASE_DIRECT_URL: direct.href });
      const shop = "shop-1.myshopify.com";
      const look = async () => {
        const client = new pg.Client(access.databaseUrl);
        await client.connect();
        const { rows } = await client.query<{ pid: number; state: object }>(LEFT);
        await client.end();
        return rows[0];
      };
      const fresh = await look();
      expect(fresh?.state).toMatchObject({ entered: null, role: "none", seen: 0, named: 0 });
      /** A process works, and another client has its connection afterwards. With sessions that is when it has ended. */
      const workThenLook = async (
        work: (process: ReturnType<typeof openTenancy>) => Promise<unknown>,
      ) => {
        const process = openTenancy(access, { connections: 8, isPooled: mode === "transaction" });
        await work(process);
        if (mode === "session") await process.close();
        const found = await look();
        await process.close();
        return found;
      };
      const installed = () => owner.query("SELECT shop FROM shops").then(({ rows }) => rows);

      const committed = await workThenLook(async ({ database, tenancy }) => {
        await tenancy.inShop(shop, (tenant) => tenant.shops.install("read_orders", new Date()));
        // Often enough that a statement has a name, where it may have one.
        for (let time = 0; time < 8; time++)
          await tenancy.inShop(shop, async (tenant) => {
            expect((await tenant.shops.find())?.installed).toBe(true);
          });
        const [names] = await database.transactions.run(
          (tx) => tx.$queryRaw<{ some: boolean }[]>`
            SELECT count(*) > 0 AS some FROM pg_prepared_statements`,
        );
        expect(names?.some).toBe(mode === "session");
      });
      expect(committed).toEqual(fresh);
      expect(await installed()).toEqual([{ shop }]);

      const other = "shop-2.myshopify.com";
      const thrown = await workThenLook(({ tenancy }) =>
        expect(
          tenancy.inShop(other, async (tenant) => {
            await tenant.shops.install("read_orders", new Date());
            throw new Error("taken back");
          }),
        ).rejects.toThrow("taken back"),
      );
      expect(thrown).toEqual(fresh);
      const refused = await workThenLook(({ database }) =>
        expect(database.transactions.run((tx) => tx.$queryRaw`SELECT 1 / 0`)).rejects.toThrow(
          /zero/,
        ),
      );
      expect(refused).toEqual(fresh);

      // As when a process dies with all that it has sent.
      const abandoned = await workThenLook(({ database, tenancy }) => {
        const clients: pg.PoolClient[] = [];
        database.tenantPool.on("connect", (client) => clients.push(client));
        return expect(
          tenancy.inShop(other, async (tenant) => {
            await tenant.shops.install("read_orders", new Date());
            expect(await tenant.shops.find()).not.toBeNull();
            const [{ connection }] = clients as unknown as [{ connection: { stream: Socket } }];
            connection.stream.destroy();
          }),
        ).rejects.toThrow(/Connection terminated/);
      });
      expect(abandoned?.state).toEqual(fresh?.state);
      expect(await installed()).toEqual([{ shop }]);
    },
    180_000,
  );
});
