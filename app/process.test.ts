import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";

const SERVER = join(import.meta.dirname, "server.ts");

test("a process in production ends with one sentence when it would send in the clear", () => {
  const { status, stderr, stdout } = spawnSync(process.execPath, [SERVER], {
    encoding: "utf8",
    timeout: 60_000,
    env: {
      ...{ PATH: process.env.PATH, NODE_ENV: "production" },
      DATABASE_URL: "postgres://pathway:hidden@127.0.0.1:1/pathway",
      SHOPIFY_APP_URL: "http://pathway.test",
      SHOPIFY_API_KEY: "key",
      SHOPIFY_API_SECRET: "secret",
      REFERRAL_SERVICE_STAGING_BASE_URL: "https://service.test",
      REFERRAL_SERVICE_STAGING_AUTH_URL: "https://service.test/token",
    },
  });
  expect(status).toBe(1);
  expect(stderr).toContain("SHOPIFY_APP_URL: use https");
  expect(stderr).toContain("DATABASE_URL: add sslmode=verify-full");
  expect(stderr).toContain("PATHWAY_ALLOW_PLAIN_HTTP=1");
  expect(stderr + stdout).not.toContain("hidden");
});

test.each([[""], ['"production"'], ["prod"]])(
  "a process with NODE_ENV %j says that nothing keeps it from sending in the clear",
  (given) => {
    const { stderr } = startWithoutDatabase({ NODE_ENV: given });
    expect(stderr).toContain("NODE_ENV is not production");
  },
);

test.each(["production", "development", "test"])(
  "a process with NODE_ENV %j was meant so",
  (given) => {
    const { stderr } = startWithoutDatabase({ NODE_ENV: given, PATHWAY_ALLOW_PLAIN_HTTP: "1" });
    expect(stderr).toContain("does not let this process start");
    expect(stderr).not.toContain("NODE_ENV");
  },
);

test.each([
  [
    "PATHWAY_TRUSTED_PROXIES",
    "10.0.0.0/33",
    'PATHWAY_TRUSTED_PROXIES: "10.0.0.0/33" is no address and no range',
  ],
  [
    "PATHWAY_TRUSTED_PROXIES",
    "10.0.0.1, proxy",
    'PATHWAY_TRUSTED_PROXIES: "proxy" is no address and no range',
  ],
  ["SMTP_URL", "mail.example:587", "SMTP_URL: write smtps://"],
  [
    "LOG_LEVEL",
    "info",
    "The database at 127.0.0.1:1 (DATABASE_URL) does not let this process start: connect ECONNREFUSED 127.0.0.1:1 (ECONNREFUSED). docs/runbooks/database-down.md",
  ],
])(
  "a process whose %s is %s ends with one sentence, and is never ready",
  (name, value, sentence) => {
    const { status, stderr } = startWithoutDatabase({ NODE_ENV: "test", [name]: value });
    expect(status).toBe(1);
    expect(stderr).toContain(sentence);
    expect(stderr).not.toContain("hidden");
  },
);

/** Starts a process with every setting that it needs, and a database at which nothing answers. */
const startWithoutDatabase = (settings: Record<string, string>) =>
  spawnSync(process.execPath, [SERVER], {
    encoding: "utf8",
    timeout: 60_000,
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: "postgres://pathway:hidden@127.0.0.1:1/pathway",
      PATHWAY_MASTER_KEYS: "k1:MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=",
      PATHWAY_TENANT_KEYS: "k1:MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=",
      SHOPIFY_APP_URL: "https://pathway.test",
      SHOPIFY_API_KEY: "key",
      SHOPIFY_API_SECRET: "secret",
      REFERRAL_SERVICE_STAGING_BASE_URL: "https://service.test",
      REFERRAL_SERVICE_STAGING_AUTH_URL: "https://service.test/token",
      ...settings,
    } as Record<string, string | undefined> as NodeJS.ProcessEnv,
  });
