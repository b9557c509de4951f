import type { WorldAccess } from "./migrate.ts";
import type { ServiceReady, StoreReady } from "./ready-lines.ts";

/** Builds the environment of the app's processes; the app knows nothing of a sandbox. */
export function appEnvironment(world: {
  port: number;
  adminPort: number;
  appUrl: string;
  isBehindProxy: boolean;
  access: WorldAccess;
  dataDir: string;
  masterKeys: string;
  service: ServiceReady;
  store: StoreReady;
  quarantineMs: number | undefined;
  mailWindowMs: number;
}): Record<string, string> {
  const { service, store } = world;
  const environment: Record<string, string> = {
    NODE_ENV: "production",
    // Everything here is on this machine.
    PATHWAY_ALLOW_PLAIN_HTTP: "1",
    PATHWAY_HOST: "127.0.0.1",
    PORT: String(world.port),
    PATHWAY_ADMIN_PORT: String(world.adminPort),
    DATABASE_URL: world.access.webUrl,
    DATABASE_WORKER_URL: world.access.workerUrl,
    DATABASE_INTAKE_URL: world.access.intakeUrl,
    PATHWAY_TENANT_KEYS: world.access.tenantKeys,
    PATHWAY_DATA_DIR: world.dataDir,
    PATHWAY_MASTER_KEYS: world.masterKeys,
    SHOPIFY_APP_URL: world.appUrl,
    SHOPIFY_API_KEY: store.api_key,
    SHOPIFY_API_SECRET: store.api_secret,
    SHOPIFY_API_ORIGIN: store.api_url,
    SHOPIFY_ADMIN_ORIGIN: new URL(store.admin_url).origin,
    APP_BRIDGE_URL: new URL("/app-bridge.js", store.admin_url).href,
    // A demonstration is not waited for.
    PATHWAY_ERASURE_DELAY_MS: "0",
    PATHWAY_MAIL_WINDOW_MS: String(world.mailWindowMs),
    REFERRAL_SERVICE_STAGING_BASE_URL: service.base_url,
    REFERRAL_SERVICE_STAGING_AUTH_URL: service.auth_url,
    REFERRAL_SERVICE_STAGING_APP_URL: service.app_url,
  };
  if (world.isBehindProxy) {
    environment.PATHWAY_TRUSTED_PROXIES = "127.0.0.1";
    // So that the proxy sees that a process stops before it takes no more connections.
    environment.PATHWAY_DRAIN_MS = "1500";
  }
  if (world.access.directUrl !== undefined)
    environment.DATABASE_DIRECT_URL = world.access.directUrl;
  if (store.smtp_url !== undefined) environment.SMTP_URL = store.smtp_url;
  if (world.quarantineMs !== undefined)
    environment.PATHWAY_QUARANTINE_MS = String(world.quarantineMs);
  return environment;
}
