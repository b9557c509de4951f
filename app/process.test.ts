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
