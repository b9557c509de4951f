import { expect, test } from "vitest";
import { readEnvironment, withPresentSettings } from "./env.ts";

const REQUIRED = {
  SHOPIFY_APP_URL: "https://pathway.example",
  SHOPIFY_API_KEY: "key",
  SHOPIFY_API_SECRET: "secret",
  REFERRAL_SERVICE_STAGING_BASE_URL: "https://service.example/api",
  REFERRAL_SERVICE_STAGING_AUTH_URL: "https://service.example/oauth",
};

test("accepts the former name of a setting, and warns", () => {
  const { variables, warnings } = withPresentSettings({
    ...REQUIRED,
    PATHWAY_TAILER_INTERVAL_MS: "7000",
    PATHWAY_START_PAUSED_UNTIL_TAILED: "true",
    PATHWAY_TENDING_INTERVAL_MS: "",
  });
  expect(readEnvironment(variables)).toMatchObject({
    PATHWAY_SYNC_INTERVAL_MS: 7000,
    PATHWAY_START_PAUSED_UNTIL_SYNCED: true,
    PATHWAY_MAINTENANCE_INTERVAL_MS: 3_600_000,
  });
  expect(warnings.map((warning) => warning.split(" ")[0])).toEqual([
    "PATHWAY_TAILER_INTERVAL_MS",
    "PATHWAY_START_PAUSED_UNTIL_TAILED",
  ]);
});

test("prefers the present name of a setting where both are set", () => {
  const { variables } = withPresentSettings({
    ...REQUIRED,
    PATHWAY_TAILER_INTERVAL_MS: "7000",
    PATHWAY_SYNC_INTERVAL_MS: "9000",
  });
  expect(readEnvironment(variables).PATHWAY_SYNC_INTERVAL_MS).toBe(9000);
});
