import { once } from "node:events";
import { createServer } from "node:http";
import { join } from "node:path";
import express from "express";
import { adminApi } from "./api/admin-api.ts";
import { createClock } from "./clock.ts";
import { readAppConfig } from "./config/app-config.ts";
import { controlRouter } from "./control/router.ts";
import { createFaults } from "./faults.ts";
import { createAdminExecutor } from "./graphql/execute.ts";
import { protectedDataApproval } from "./graphql/protected-data.ts";
import { sendDueShopRedacts } from "./install/privacy.ts";
import { keepRawMail } from "./mail/mailbox.ts";
import { startSmtpSink } from "./mail/smtp-sink.ts";
import type { Platform } from "./platform.ts";
import { seed, seededShop } from "./seed/seed.ts";
import { credentials } from "./state/credentials.ts";
import { openTables } from "./state/tables.ts";
import { createWeb } from "./web/create-web.ts";
import { storePorts } from "./web-ports/store-ports.ts";
import { missingFields } from "./webhooks/include-fields.ts";
import { exampleOf, rulesOfTopic } from "./webhooks/published-shape.ts";
import { createWebhookQueue } from "./webhooks/queue.ts";

export interface StoreOptions {
  /** The address of this machine on which it listens, and by which it names itself: 127.0.0.1. */
  host?: string;
  /** 0: any free port. */
  port: number;
  /** Null: nothing survives. */
  dataDirectory: string | null;
  appUrl: string | null;
  /** The seeded shop's customer accounts; as they were, and new in a fresh store, unless told otherwise. */
  accounts?: "new" | "legacy";
  /** The port of the email sink; 0: any free port. */
  smtpPort?: number;
  /** Retries take this share of Shopify's four hours. */
  retryScale?: number;
  /** shopify.app.toml; by default the repository's. */
  appConfigPath?: string;
  /** The app's extensions, for the triggers of Shopify Flow among them; by default the repository's. */
  extensionsDirectory?: string;
  log?: (line: string) => void;
}

/** The line that a program which starts the store reads (sandbox.md, section 2), and the mail sink besides. */
export interface StoreReadyLine {
  store_url: string;
  admin_url: string;
  api_url: string;
  control_url: string;
  control_token: string;
  shop: string;
  api_key: string;
  api_secret: string;
  smtp_url: string;
}

export interface RunningStore {
  ready: StoreReadyLine;
  platform: Platform;
  stop(): Promise<void>;
}

const repository = join(import.meta.dirname, "../..");
const redactCheckMs = 60_000;

/** Starts the store and resolves when it answers. */
export async function startStore(options: StoreOptions): Promise<RunningStore> {
  const host = options.host ?? "127.0.0.1";
  const log = options.log ?? ((line) => console.error(line));
  const config = readAppConfig(
    options.appConfigPath ?? join(repository, "shopify.app.toml"),
    options.extensionsDirectory ?? join(repository, "extensions"),
  );
  // A topic that Shopify does not have is an error of shopify.app.toml: say so now, not at the first order.
  for (const { topic, includeFields } of config.subscriptions) {
    rulesOfTopic(config.apiVersion, topic);
    const missing = missingFields(exampleOf(config.apiVersion, topic), includeFields ?? []);
    if (missing.length > 0) throw new Error(`${topic} has no field ${missing.join(", ")}`);
  }
  const data = openTables(options.dataDirectory);
  const clock = createClock(data.credentials.get("app")?.clockOffsetMs ?? 0);
  const faults = createFaults();
  const executor = createAdminExecutor();
  const mailbox = await startSmtpSink((mail) => keepRawMail(data, clock, mail), {
    ...{ host, port: options.smtpPort },
    refusalOf: faults.mailRefusal,
  });
  const webhooks = createWebhookQueue({
    data,
    clock,
    faults,
    retryScale: options.retryScale ?? 1 / 240,
    log,
  });
  const platform: Platform = {
    config,
    data,
    clock,
    faults,
    webhooks,
    flowTriggered: [],
    approval: protectedDataApproval.parse({}),
    appUrl: options.appUrl?.replace(/\/$/, "") ?? null,
    origin: "",
    log,
  };
  seed(platform);
  const own = data.shops.get(seededShop);
  if (own && options.accounts) data.shops.put({ ...own, customerAccounts: options.accounts });

  const app = express();
  app.disable("x-powered-by");
  app.use("/control", controlRouter(platform));
  app.use("/admin", adminApi(platform, executor));
  const web = createWeb(storePorts(platform, executor));
  const server = createServer((request, response) => {
    web(request, response).then(
      (answered) => {
        if (!answered) app(request, response);
      },
      (error: unknown) => {
        log(`page failed: ${error instanceof Error ? error.stack : error}`);
        if (!response.headersSent) response.writeHead(500);
        response.end();
      },
    );
  });
  server.listen(options.port, host);
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the store has no port");
  platform.origin = `http://${host}:${address.port}`;

  const redactDue = () => sendDueShopRedacts(platform);
  clock.onAdvance(redactDue);
  const redactTimer = setInterval(redactDue, redactCheckMs);
  redactTimer.unref();
  webhooks.resume();

  const { apiKey, secrets, controlToken } = credentials(platform);
  return {
    platform,
    ready: {
      store_url: platform.origin,
      admin_url: `${platform.origin}/admin-ui`,
      api_url: platform.origin,
      control_url: `${platform.origin}/control`,
      control_token: controlToken,
      shop: seededShop,
      api_key: apiKey,
      api_secret: secrets[0] ?? "",
      smtp_url: mailbox.url,
    },
    async stop() {
      clearInterval(redactTimer);
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await Promise.all([closed, webhooks.stop(), mailbox.stop()]);
      data.close();
    },
  };
}
