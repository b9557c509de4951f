/**
 * Replays the steps of the Dockerfile's runtime stage in a clean folder, with the packages that are installed here, and
 * measures what comes of it: megabytes above the base, and milliseconds from the start to `/readyz` 200 of a process that
 * serves, one that works, and one that does both, without a write outside /tmp. Each logs in with its own role and password
 * (docs/operations.md, "Roles of the database"). On Linux the processor time of a start is told too, for a machine that is not
 * quiet. Prints one JSON line. `node tools/image/measure.mjs [DATABASE_URL]`, after
 * `npm run build`, with what the owner of an empty database logs in with; without it, a PostgreSQL is started.
 */
import { execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";

/** Starts of each kind, by turns. */
const TURNS = 5;
const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
const folder = mkdtempSync(join(tmpdir(), "pathway-image-"));
chmodSync(folder, 0o755);
const at = join(folder, "pathway");
// The only folder that the process may write to, as the image's volume.
const keys = join(folder, "keys");
mkdirSync(keys);
if (process.getuid?.() === 0) chownSync(keys, 10001, 10001);
const passwords = Object.fromEntries(
  ["pathway_web", "pathway_worker", "pathway_intake"].map((login) => [
    login,
    randomBytes(12).toString("hex"),
  ]),
);
const ownServer = process.argv[2] ? null : await startServer(join(folder, "postgres"));
const databaseUrl = process.argv[2] ?? ownServer.ownerUrl;
const tenantKeys = `t1:${randomBytes(32).toString("base64")}`;
const masterKeys = `m1:${randomBytes(32).toString("base64")}`;
const node = (args, options = {}) =>
  execFileSync(process.execPath, args, {
    cwd: root,
    stdio: ["ignore", "ignore", "inherit"],
    ...options,
  });

node(["app/commands/migrate.ts"], {
  env: {
    ...process.env,
    DATABASE_URL: databaseUrl,
    PATHWAY_TENANT_KEYS: tenantKeys,
    PATHWAY_WEB_PASSWORD: passwords.pathway_web,
    PATHWAY_WORKER_PASSWORD: passwords.pathway_worker,
    PATHWAY_INTAKE_PASSWORD: passwords.pathway_intake,
  },
});
const loginAs = (login) =>
  Object.assign(new URL(databaseUrl), { username: login, password: passwords[login] }).href;

/** A server on which all but its administrator need a password, with an owner that is nobody special. */
async function startServer(dir) {
  const { startPostgres } = await import("../embedded-postgres.ts");
  const { default: pg } = await import("pg");
  const server = await startPostgres({ dir, port: 0 });
  const owner = { username: "pathway", password: randomBytes(12).toString("hex") };
  const client = new pg.Client(Object.assign(new URL(server.url), { pathname: "/postgres" }).href);
  await client.connect();
  await client.query(`CREATE ROLE pathway LOGIN CREATEROLE PASSWORD '${owner.password}'`);
  await client.query("DROP DATABASE pathway");
  await client.query("CREATE DATABASE pathway OWNER pathway");
  const access = ["postgres 127.0.0.1/32 trust", "all 127.0.0.1/32 scram-sha-256"];
  writeFileSync(join(server.dir, "pg_hba.conf"), access.map((who) => `host all ${who}\n`).join(""));
  await client.query("SELECT pg_reload_conf()");
  await client.end();
  const ownerUrl = Object.assign(new URL(server.url), owner).href;
  return { ownerUrl, stop: () => server.stop().then(() => removeFolder(server.dir)) };
}

const removeFolder = (path) => rmSync(path, { recursive: true, force: true });

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function startToReady(roles) {
  const [port, adminPort] = [await freePort(), await freePort()];
  const startedAt = performance.now();
  const child = spawn(
    process.execPath,
    [
      "--max-semi-space-size=4",
      ...(roles === "worker"
        ? ["--heap-growing-percent=15", "--no-allocation-site-pretenuring"]
        : []),
      "app/server.ts",
    ],
    {
      cwd: at,
      stdio: ["ignore", "ignore", "inherit"],
      // As in a container: nobody, who may write to nothing here.
      ...(process.getuid?.() === 0 ? { uid: 10001, gid: 10001 } : {}),
      env: {
        PATH: process.env.PATH,
        MALLOC_ARENA_MAX: "1",
        NODE_ENV: "production",
        PATHWAY_ALLOW_PLAIN_HTTP: "1",
        LOG_LEVEL: "warn",
        PORT: String(port),
        PATHWAY_ADMIN_PORT: String(adminPort),
        PATHWAY_ROLES: roles,
        DATABASE_URL: loginAs(roles === "worker" ? "pathway_worker" : "pathway_web"),
        DATABASE_WORKER_URL: loginAs("pathway_worker"),
        DATABASE_INTAKE_URL: loginAs("pathway_intake"),
        PATHWAY_TENANT_KEYS: tenantKeys,
        PATHWAY_MASTER_KEYS: masterKeys,
        PATHWAY_KEY_DIR: keys,
        PATHWAY_AUDIT_DIR: join(keys, "audit"),
        SHOPIFY_APP_URL: "https://pathway.example",
        SHOPIFY_API_KEY: "key",
        SHOPIFY_API_SECRET: "secret",
        REFERRAL_SERVICE_STAGING_BASE_URL: "https://service.example/api",
        REFERRAL_SERVICE_STAGING_AUTH_URL: "https://service.example/oauth",
      },
    },
  );
  const ended = new Promise((_, reject) =>
    child.once("exit", (code) => reject(new Error(`the process ended with ${code}`))),
  );
  const ready = async () => {
    for (;;) {
      const answer = await fetch(`http://127.0.0.1:${adminPort}/readyz`).catch(() => null);
      if (answer?.ok)
        return { ms: performance.now() - startedAt, processorMs: processorMsOf(child.pid) };
      await delay(5);
    }
  };
  try {
    const measured = await Promise.race([ready(), ended]);
    // Pages come into memory with the first request: the packages that they reach are there or not.
    const page = roles === "worker" ? null : await fetch(`http://127.0.0.1:${port}/`);
    if (page && page.status >= 500) throw new Error(`a page answers ${page.status}`);
    return measured;
  } finally {
    ended.catch(() => {});
    child.kill("SIGTERM");
    await new Promise((resolve) =>
      child.exitCode === null ? child.once("exit", resolve) : resolve(),
    );
  }
}

/** The program by which the Dockerfile fills the compile cache. */
function compileStep() {
  const [, program] =
    /^RUN node -e "(.*)"$/m.exec(readFileSync(join(root, "Dockerfile"), "utf8")) ?? [];
  if (!program) throw new Error("The Dockerfile has no step that compiles");
  return program;
}

/** The processor time of a process so far, in the kernel's ticks of 10 ms; null where there is no /proc. */
function processorMsOf(pid) {
  const path = `/proc/${pid}/stat`;
  if (!existsSync(path)) return null;
  const fields = readFileSync(path, "utf8").split(") ")[1].split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

const medianOf = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

try {
  node(["tools/image/collect-runtime.mjs", at]);
  // The one who measures may keep a compile cache elsewhere, which would take what belongs here.
  const env = { ...process.env, NODE_COMPILE_CACHE: undefined };
  node(["-e", compileStep().replaceAll("/pathway/", `${at}/`)], { env });
  const mb = Number(execFileSync("du", ["-sm", at], { encoding: "utf8" }).split("\t")[0]);
  const starts = { web: [], worker: [], "web,worker": [] };
  for (let turn = 0; turn < TURNS; turn++)
    for (const roles of Object.keys(starts)) starts[roles].push(await startToReady(roles));
  const of = (field) =>
    Object.fromEntries(
      Object.entries(starts).map(([roles, all]) => [
        roles,
        Math.round(medianOf(all.map((one) => one[field]))),
      ]),
    );
  const fastestMs = Object.fromEntries(
    Object.entries(starts).map(([roles, all]) => [
      roles,
      Math.round(Math.min(...all.map(({ ms }) => ms))),
    ]),
  );
  process.stdout.write(
    `${JSON.stringify({ mb, readyMs: of("ms"), fastestMs, processorMs: of("processorMs") })}\n`,
  );
} finally {
  await ownServer?.stop();
  removeFolder(folder);
}
