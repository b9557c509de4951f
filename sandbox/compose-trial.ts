import { randomBytes } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { isDeepStrictEqual } from "node:util";
import { type Alerts, pdfsOpen, prepareAlerts } from "./compose-trial/alerts.ts";
import {
  checkout,
  compose,
  composeText,
  docker,
  folder,
  HOST,
  NAME,
  NETWORK,
  run,
  untilReady,
  writeSettings,
} from "./compose-trial/containers.ts";
import {
  newProfileSecrets,
  PROFILE_SETTINGS,
  PROFILES,
  startProfiles,
} from "./compose-trial/profiles.ts";
import { backUp, isUnpaused, loseAndRestore } from "./compose-trial/restore.ts";
import { isOneTrace } from "./compose-trial/traces.ts";
import { eventually } from "./world/eventually.ts";
import { playPurchase } from "./world/journey/purchase.ts";
import { type SetUp, setUp } from "./world/journey/set-up.ts";
import { type RunningProgram, startProgram } from "./world/program.ts";
import { readReadyLine, serviceReadySchema, storeReadySchema } from "./world/ready-lines.ts";
import { startTrail } from "./world/trail.ts";

/**
 * Runs compose.yaml with Docker as docs/operations.md, "Run it with Compose", says it, from a checkout of its own, and takes orders
 * through its containers. Shopify and the referral service are the sandbox's, on the address by which containers reach this machine.
 * On Linux, with ports 80 and 443 free; nothing of a Pathway that runs here is touched. Ends with code 1 when anything went wrong.
 * With `--whole` it has the profiles too, pulls plugs until alerts tell of them, and restores the nightly backup.
 */
const isWhole = process.argv.includes("--whole");
/** Images that are made here and belong to nobody: Compose takes one of compose.yaml's names as it is when it finds it. */
const IMAGES = { web: NAME, migrate: `${NAME}-migrate` };
const APP_URL = "https://localhost";
const REPOSITORY = join(import.meta.dirname, "..");
const programs: RunningProgram[] = [];
const say = (line: string) => process.stderr.write(`${line}\n`);
const trail = startTrail(say);
let alerts: Alerts | undefined;

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
    args: ["--host", HOST, "--port", "0", ...args],
    printsReadyLine: true,
    logFile: join(folder, `${name}.log`),
  });
  programs.push(program);
  return program.readyLine;
}

/** The rest of the whole trial: plugs, traces, and a restore of the nightly backup. A customer has an order with its PDFs. */
async function playWhole(merchant: SetUp, { pullPlugs }: Alerts, shopperId: string): Promise<void> {
  const { drivers } = merchant;
  const customer = drivers.customer(shopperId);
  await trail.step("The order's way is one trace", async () => {
    for (const { id } of await customer.requests()) await isOneTrace(id);
  });
  await pullPlugs(trail, customer);
  await trail.step("The nightly backup is made", backUp);
  const later = drivers.customer((await playPurchase(merchant, trail)).shopperId);
  const before = (await drivers.console.stats()).referralsByReferenceNumber;
  await trail.step("The database and the PDFs are lost, and restored by the book", loseAndRestore);
  await trail.step("Home says that nothing is sent meanwhile", async () => {
    const home = await drivers.pages.open("/app");
    if (!home.includes("restored or a standby took over")) throw new Error("it does not");
  });
  await trail.step("The pause ends by itself, and both orders are there with their PDFs", () =>
    eventually(
      async () => {
        await isUnpaused();
        for (const one of [customer, later]) await pdfsOpen(one);
      },
      { what: "the end of the pause", timeoutMs: 600_000 },
    ),
  );
  await trail.step("Nothing was ordered twice", async () => {
    const after = (await drivers.console.stats()).referralsByReferenceNumber;
    if (!isDeepStrictEqual(after, before)) throw new Error(JSON.stringify({ before, after }));
  });
}

async function playTrial(): Promise<void> {
  await trail.step("A checkout of the repository", () =>
    run("git", ["clone", "--quiet", REPOSITORY, checkout]),
  );
  const profileSecrets = isWhole ? newProfileSecrets() : undefined;
  const secrets = { ...newSecrets(), ...profileSecrets };
  const settings = {
    ...{ PATHWAY_DOMAIN: "localhost", PATHWAY_SUBNET: `${NETWORK}.0/24` },
    ...{ PATHWAY_IMAGE: IMAGES.web, PATHWAY_MIGRATE_IMAGE: IMAGES.migrate },
    ...{ SHOPIFY_API_KEY: "pending", MAIL_FROM: "Pathway <pathway@example.com>" },
    REFERRAL_SERVICE_STAGING_BASE_URL: "http://pending",
    REFERRAL_SERVICE_STAGING_AUTH_URL: "http://pending",
    ...(profileSecrets && PROFILE_SETTINGS),
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
  if (profileSecrets) {
    alerts = await prepareAlerts(profileSecrets.alerts_password);
    await trail.step("Prometheus, its alerts, traces and an object storage are added", () =>
      startProfiles(say),
    );
    await trail.step(
      "Prometheus sees every process, and gives its sign of life",
      alerts.areWatched,
    );
  }

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
  const { shopperId } = await playPurchase(merchant, trail);
  await trail.step("The commands of the owner of the database answer", async () => {
    const owner = (...command: string[]) => compose("run", "--rm", "operator", "node", ...command);
    await owner("app/keys.ts");
    await owner("app/commands/audit.ts", "verify");
    await owner("app/commands/redactions.ts");
  });
  if (alerts) await playWhole(merchant, alerts, shopperId);
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
  alerts?.stop();
  await compose(...PROFILES, "down", "--volumes").catch((cause: unknown) =>
    process.stderr.write(`Not taken down: ${String(cause)}\n`),
  );
  await docker("image", "rm", "--force", ...Object.values(IMAGES)).catch((cause: unknown) =>
    process.stderr.write(`Images stay: ${String(cause)}\n`),
  );
  rmSync(folder, { recursive: true, force: true });
}
