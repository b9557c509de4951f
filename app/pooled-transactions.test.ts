import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { temporaryKeyFolder } from "../test/database/database.ts";
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
import { createLogger } from "./platform/logger.ts";
import { startEngine } from "./queue/engine.ts";
import { createTenancy } from "./tenancy.ts";

const PGBOUNCER = ["/usr/sbin/pgbouncer", "/usr/bin/pgbouncer"].find(existsSync);
if (!PGBOUNCER)
  process.stderr.write("pgbouncer is not installed: transactions through a proxy are left out\n");

const opened: (() => unknown)[] = [];
afterAll(async () => {
  for (const close of opened.toReversed()) await close();
});

interface Proxy {
  mode: "transaction" | "session";
  /** Connections to PostgreSQL for each login: with two, transactions of many clients share them. */
  connections: number;
  /** How many clients it takes. */
  clients?: number;
}

async function startProxy(
  folder: string,
  databaseUrl: string,
  { mode, connections, clients = 100 }: Proxy,
): Promise<string> {
  const target = new URL(databaseUrl);
  const port = await freePort();
  const settings = join(folder, `${mode}-${connections}-${clients}.ini`);
  const users = ["pathway_web", "pathway_worker", "pathway_intake", target.username];
  writeFileSync(join(folder, "users"), users.map((name) => `"${name}" ""\n`).join(""));
  writeFileSync(
    settings,
    `[databases]
${target.pathname.slice(1)} = host=${target.hostname} port=${target.port} pool_size=${connections}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${join(folder, "users")}
pool_mode = ${mode}
max_client_conn = ${clients}
`,
  );
  // It refuses to run as root.
  const asNobody = process.getuid?.() === 0 ? ["-u", "nobody"] : [];
  const proxy: ChildProcess = spawn(PGBOUNCER ?? "", [...asNobody, settings], { stdio: "ignore" });
  opened.push(() => proxy.kill());
  const url = new URL(databaseUrl);
  url.port = String(port);
  return url.href;
}

const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() =>
        resolve(address !== null && typeof address === "object" ? address.port : 0),
      );
    });
  });

/** A migrated PostgreSQL of its own, with what its processes prove themselves by. */
async function startServer() {
  const folder = mkdtempSync(join(tmpdir(), "pathway-pooled-"));
  opened.push(() => rmSync(folder, { recursive: true, force: true }));
  // The proxy, which is somebody else, reads its users here.
  chmodSync(folder, 0o755);
  const server = await startPostgres({ dir: join(folder, "postgres"), port: 0 });
  opened.push(() => server.stop());
  const keys = `test:${randomBytes(32).toString("base64")}`;
  await migrateDatabase(server.url, { tenantKeys: readTenantKeys(keys) });
  const direct = new URL(server.url);
  direct.hostname = "127.0.0.1";
  return { folder, keys, direct };
}

const through = (proxyUrl: string, keys: string) => ({
  PATHWAY_ROLES: ["web", "worker"] as ("web" | "worker")[],
  PATHWAY_TENANT_KEYS: keys,
  DATABASE_URL: loginAs(proxyUrl, "pathway_web"),
  DATABASE_WORKER_URL: loginAs(proxyUrl, "pathway_worker"),
  DATABASE_INTAKE_URL: loginAs(proxyUrl, "pathway_intake"),
  DATABASE_DIRECT_URL: undefined,
});

/** Returns what a start says of its logins, once the proxy is up. */
async function start(access: DatabaseAccess): Promise<string> {
  let said = "";
  const look = async () => {
    said = await checkLogins(access, ["web", "worker"]).then(() => "may", String);
    return said;
  };
  await expect.poll(look, { timeout: 20_000 }).not.toContain("ECONNREFUSED");
  return said;
}

test.skipIf(!PGBOUNCER)(
  "without PostgreSQL's own address a proxy that pools sessions will do, and one that pools transactions is refused",
  async () => {
    const { folder, keys, direct } = await startServer();
    const pooling = await startProxy(folder, direct.href, { mode: "transaction", connections: 4 });
    expect(await start(readAccess(through(pooling, keys)))).toMatch(
      /pools transactions: set DATABASE_DIRECT_URL/,
    );
    const keeping = await startProxy(folder, direct.href, { mode: "session", connections: 20 });
    const access = readAccess(through(keeping, keys));
    expect(await start(access)).toBe("may");
    const engine = await startEngine({
      ...{ databaseUrl: access.processUrl, tenantKey: access.tenantKey, poolSize: 2 },
      logger: createLogger("silent"),
    });
    const { rows } = await engine.pool.query("SHOW synchronous_commit");
    expect(rows).toEqual([{ synchronous_commit: "off" }]);
    await engine.stop();
  },
  90_000,
);

test.skipIf(!PGBOUNCER)(
  "a migration through a proxy that pools transactions is refused, and leaves nothing on its connections",
  async () => {
    const { folder, keys, direct } = await startServer();
    const proxyUrl = await startProxy(folder, direct.href, { mode: "transaction", connections: 4 });
    let said = "";
    const migrate = async () => {
      said = await migrateDatabase(proxyUrl, { tenantKeys: readTenantKeys(keys) }).then(
        () => "migrated",
        String,
      );
      return said;
    };
    await expect.poll(migrate, { timeout: 20_000 }).not.toContain("ECONNREFUSED");
    expect(said).toMatch(/pools transactions: set DATABASE_DIRECT_URL/);
    const client = new pg.Client(direct.href);
    await client.connect();
    opened.push(() => client.end());
    const { rows } = await client.query("SELECT pid FROM pg_locks WHERE locktype = 'advisory'");
    expect(rows).toEqual([]);
    await expect(
      migrateDatabase(direct.href, { tenantKeys: readTenantKeys(keys) }),
    ).resolves.toBeUndefined();
  },
  90_000,
);

test.skipIf(!PGBOUNCER)(
  "a proxy that takes no more clients is a database that is away, so that everybody is asked to try again",
  async () => {
    const { folder, keys, direct } = await startServer();
    const full = { mode: "transaction", connections: 1, clients: 1 } as const;
    const proxyUrl = await startProxy(folder, direct.href, full);
    const access = readAccess({ ...through(proxyUrl, keys), DATABASE_DIRECT_URL: direct.href });
    expect(await start(access)).toBe("may");
    const database = openProcessDatabase({
      ...{ url: access.databaseUrl, processUrl: access.processUrl, tenantKey: access.tenantKey },
      ...{ connections: shareConnections(8), isPooled: true, onError: () => {} },
    });
    opened.push(() => database.close());
    const only = new pg.Client(access.databaseUrl);
    await only.connect();
    opened.push(() => only.end());
    const refused = await createTenancy({
      ...{ database, onJobs: () => {} },
      sealers: createSealers(
        database.pool,
        readMasterKeys(keys),
        createEpochs(temporaryKeyFolder(), readMasterKeys(keys)),
      ),
    })
      .inShop("shop-1.myshopify.com", (tenant) => tenant.shops.find())
      .then(
        () => null,
        (error: unknown) => error,
      );
    expect(refused).toBeInstanceOf(Error);
    expect(isDatabaseAway(refused)).toBe(true);
  },
  90_000,
);

test.skipIf(!PGBOUNCER)(
  "shops keep apart through a proxy that pools transactions, and nothing of a process stays on its connections",
  async () => {
    const { folder, keys, direct } = await startServer();
    const proxyUrl = await startProxy(folder, direct.href, { mode: "transaction", connections: 2 });
    const access = readAccess({ ...through(proxyUrl, keys), DATABASE_DIRECT_URL: direct.href });
    const portOf = (url: string) => new URL(url).port;
    expect([access.processUrl, access.intakeUrl].map(portOf)).toEqual([direct.port, direct.port]);
    expect(await start(access)).toBe("may");

    const database = openProcessDatabase({
      ...{ url: access.databaseUrl, processUrl: access.processUrl, tenantKey: access.tenantKey },
      ...{ connections: shareConnections(16), isPooled: true, onError: () => {} },
    });
    opened.push(() => database.close());
    const masterKeys = readMasterKeys(`test:${randomBytes(32).toString("base64")}`);
    const epochs = createEpochs(temporaryKeyFolder(), masterKeys);
    const sealers = createSealers(database.pool, masterKeys, epochs);
    const tenancy = createTenancy({ database, sealers, onJobs: () => {} });
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
  90_000,
);
