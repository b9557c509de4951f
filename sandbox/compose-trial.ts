import { execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { promisify } from "node:util";
import { eventually } from "./world/eventually.ts";
import { playPurchase } from "./world/journey/purchase.ts";
import { setUp } from "./world/journey/set-up.ts";
import { type RunningProgram, startProgram } from "./world/program.ts";
import { readReadyLine, serviceReadySchema, storeReadySchema } from "./world/ready-lines.ts";
import { startTrail } from "./world/trail.ts";

/**
 * Runs compose.yaml with Docker as docs/operations.md, "Run it with Compose", says it, from a checkout of its own, and takes orders
 * through its containers. Shopify and the referral service are the sandbox's, on the address by which containers reach this machine.
 * On Linux, with ports 80 and 443 free; nothing of a Pathway that runs here is touched. Ends with code 1 when anything went wrong.
 */
const NAME = "pathway-trial";
/** Images that are made here and belong to nobody: Compose takes one of compose.yaml's names as it is when it finds it. */
const IMAGES = { web: NAME, migrate: `${NAME}-migrate` };
/** The trial's own range, in which Docker gives this machine the first address. */
const NETWORK = "172.30.84";
const APP_URL = "https://localhost";
const REPOSITORY = join(import.meta.dirname, "..");
const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), "pathway-compose-"));
const checkout = join(folder, "pathway");
const programs: RunningProgram[] = [];
const trail = startTrail((line) => process.stderr.write(`${line}\n`));

const docker = async (...args: string[]) => (await run("docker", args)).stdout.trim();
const inCompose = (args: string[]) => ["compose", "-p", NAME, ...args];
/** A command of Compose, whose output is shown: images are made for minutes. */
async function compose(...args: string[]): Promise<void> {
  const child = spawn("docker", inCompose(args), { cwd: checkout, stdio: ["ignore", 2, 2] });
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`docker compose ${args.join(" ")} ended with ${code}`);
}
const composeText = async (...args: string[]) =>
  (await run("docker", inCompose(args), { cwd: checkout })).stdout.trim();

/** Writes .env and ./secrets, step 1 and 2 of the book. */
function writeSettings(settings: Record<string, string>, secrets: Record<string, string>): void {
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
  writeFileSync(join(checkout, ".env"), lines.join(""));
  mkdirSync(join(checkout, "secrets"), { recursive: true, mode: 0o700 });
  for (const [name, value] of Object.entries(secrets)) {
    writeFileSync(join(checkout, "secrets", name), value);
    chmodSync(join(checkout, "secrets", name), 0o644);
  }
}

function newSecrets(): Record<string, string> {
  const password = () => randomBytes(12).toString("hex");
  const key = () => `k1:${randomBytes(32).toString("base64")}`;
  const [owner, web, worker, intake] = [password(), password(), password(), password()];
  const at = (login: string, secret: string) =>
    `postgresql://${login}:${secret}@database:5432/pathway`;
  return {
    ...{ database_password: owner, owner_database_url: at("pathway", owner) },
    ...{ web_password: web, web_database_url: at("pathway_web", web) },
    ...{ worker_password: worker, worker_database_url: at("pathway_worker", worker) },
    ...{ intake_password: intake, intake_database_url: at("pathway_intake", intake) },
    ...{ tenant_keys: key(), master_keys: key() },
    ...{ shopify_api_secret: "pending", smtp_url: "smtp://pending" },
  };
}

/** Starts one of the sandbox's servers where containers reach it. Resolves with its ready line. */
function startServer(name: "referral-service" | "store", args: string[] = []) {
  const program = startProgram({
    name,
    file: `sandbox/${name}/main.ts`,
    args: ["--host", `${NETWORK}.1`, "--port", "0", ...args],
    printsReadyLine: true,
    logFile: join(folder, `${name}.log`),
  });
  programs.push(program);
  return program.readyLine;
}

const isReady = (state: string) => /\(healthy\)/.test(state);
/** Every process of the app says that it is ready. */
const untilReady = () =>
  eventually(
    async () => {
      const states = (await composeText("ps", "--format", "{{.Status}}", "web", "worker")).split(
        "\n",
      );
      if (states.length !== 3 || !states.every(isReady)) throw new Error(states.join(", "));
    },
    { what: "web and two workers that are healthy", timeoutMs: 300_000 },
  );

async function playTrial(): Promise<void> {
  await trail.step("A checkout of the repository", () =>
    run("git", ["clone", "--quiet", REPOSITORY, checkout]),
  );
  const secrets = newSecrets();
  const settings = {
    ...{ PATHWAY_DOMAIN: "localhost", PATHWAY_SUBNET: `${NETWORK}.0/24` },
    ...{ PATHWAY_IMAGE: IMAGES.web, PATHWAY_MIGRATE_IMAGE: IMAGES.migrate },
    ...{ SHOPIFY_API_KEY: "pending", MAIL_FROM: "Pathway <pathway@example.com>" },
    REFERRAL_SERVICE_STAGING_BASE_URL: "http://pending",
    REFERRAL_SERVICE_STAGING_AUTH_URL: "http://pending",
  };
  writeSettings(settings, secrets);
  await trail.step("The proxy makes its certificate", async () => {
    await compose("up", "-d", "--no-deps", "proxy");
    const authority = join(folder, "authority.crt");
    await eventually(
      () => compose("cp", "proxy:/data/caddy/pki/authorities/local/root.crt", authority),
      { what: "the proxy's authority", timeoutMs: 30_000 },
    );
    // The store and the service, which are started below, and this process call the proxy.
    process.env.NODE_EXTRA_CA_CERTS = authority;
    setDefaultCACertificates([...getCACertificates(), readFileSync(authority, "utf8")]);
  });
  await trail.step("The images are built", () => compose("build", ...Object.keys(IMAGES)));
  const service = readReadyLine(
    "The service",
    serviceReadySchema,
    await startServer("referral-service"),
  );
  const store = readReadyLine(
    "The store",
    storeReadySchema,
    await startServer("store", ["--app-url", APP_URL]),
  );
  writeSettings(
    {
      ...{ ...settings, SHOPIFY_API_KEY: store.api_key, SHOPIFY_API_ORIGIN: store.api_url },
      SHOPIFY_ADMIN_ORIGIN: new URL(store.admin_url).origin,
      APP_BRIDGE_URL: new URL("/app-bridge.js", store.admin_url).href,
      REFERRAL_SERVICE_STAGING_BASE_URL: service.base_url,
      REFERRAL_SERVICE_STAGING_AUTH_URL: service.auth_url,
      PATHWAY_MAIL_WINDOW_MS: "1000",
    },
    { ...secrets, shopify_api_secret: store.api_secret, smtp_url: store.smtp_url ?? "" },
  );
  await trail.step("docker compose up -d", () => compose("up", "-d"));
  await trail.step("Every process is ready", untilReady);

  const merchant = await setUp({ appUrl: APP_URL, service, store }, trail);
  await playPurchase(merchant, trail);
  await Promise.all([
    playPurchase(merchant, trail),
    trail.step("A worker is killed meanwhile", () => docker("kill", `${NAME}-worker-1`)),
  ]);
  await trail.step("Web, the workers and the database are killed, and started again", async () => {
    await compose("kill", "web", "worker", "database");
    await compose("up", "-d");
    await untilReady();
  });
  await playPurchase(merchant, trail);
  await trail.step("The commands of the owner of the database answer", async () => {
    const owner = (...command: string[]) => compose("run", "--rm", "operator", "node", ...command);
    await owner("app/keys.ts");
    await owner("app/commands/audit.ts", "verify");
    await owner("app/commands/redactions.ts");
  });
  await trail.step("All processes end in order when they are stopped", async () => {
    await compose("stop", "web", "worker");
    const ids = (await composeText("ps", "-aq", "web", "worker")).split("\n");
    const codes = await docker("inspect", "--format", "{{.State.ExitCode}}", ...ids);
    if (/[^0\s]/.test(codes)) throw new Error(`they ended with ${codes.replaceAll("\n", ", ")}`);
  });
}

try {
  await playTrial();
} catch (error) {
  process.exitCode = 1;
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  await compose("logs", "--tail", "20").catch((cause: unknown) =>
    process.stderr.write(`No logs: ${String(cause)}\n`),
  );
} finally {
  for (const { pid } of programs) process.kill(pid);
  await compose("down", "--volumes").catch((cause: unknown) =>
    process.stderr.write(`Not taken down: ${String(cause)}\n`),
  );
  await docker("image", "rm", "--force", ...Object.values(IMAGES)).catch((cause: unknown) =>
    process.stderr.write(`Images stay: ${String(cause)}\n`),
  );
  rmSync(folder, { recursive: true, force: true });
}
