import { expect, test } from "vitest";
import { doubtfulSettings } from "./doubtful-settings.ts";
import { readProcessSettings } from "./env.ts";

const GIVEN = {
  SHOPIFY_APP_URL: "https://pathway.example",
  SHOPIFY_API_KEY: "key",
  SHOPIFY_API_SECRET: "secret",
  REFERRAL_SERVICE_STAGING_BASE_URL: "https://service.example/api",
  REFERRAL_SERVICE_STAGING_AUTH_URL: "https://service.example/oauth",
  SMTP_URL: "smtps://mail.example",
  MAIL_FROM: "no-reply@pathway.example",
};
const doubts = (variables: Record<string, string> = {}) =>
  doubtfulSettings({ ...GIVEN, ...variables }, readProcessSettings({ ...GIVEN, ...variables }));

test.each([
  ["PATHWAY_TRUSTED_PROXY", "hidden"],
  ["PATHWAY_MASTER_KEY_FILE", "/hidden"],
  ["REFERRAL_ATTACHMENT_HOST", "hidden"],
  ["REFERRAL_SERVICE_PRODUCTION_URL", "https://hidden"],
])("names %s, which no process reads, without its value", (name, value) => {
  expect(doubts({ [name]: value })).toEqual([expect.stringMatching(`^${name} is no setting`)]);
  expect(doubts({ [name]: value }).join()).not.toContain("hidden");
});

test("says nothing of former names, of Compose's own, of Kubernetes' and of other programs'", () => {
  const others = {
    PATHWAY_TENDING_INTERVAL_MS: "3600000",
    PATHWAY_DOMAIN: "pathway.example",
    PATHWAY_SUBNET: "172.30.83.0/24",
    PATHWAY_S3_SECRET_FILE: "./secrets/s3",
    PATHWAY_SERVICE_HOST: "10.0.0.1",
    PATHWAY_PORT_3000_TCP_ADDR: "10.0.0.1",
    PATHWAY_WORLD_ENDS_WITH_PARENT: "1",
    SHOPIFY_FLAG_VERBOSE: "1",
    PATH: "/bin",
  };
  expect(doubts(others)).toEqual([]);
});

test("doubts a time in another unit, and not one that is nothing at all", () => {
  expect(doubts({ PATHWAY_CREATE_TIMEOUT_MS: "120", PATHWAY_ERASURE_DELAY_MS: "48" })).toEqual([
    "PATHWAY_CREATE_TIMEOUT_MS is 120 milliseconds: were seconds, minutes or hours meant?",
    "PATHWAY_ERASURE_DELAY_MS is 48 milliseconds: were seconds, minutes or hours meant?",
  ]);
  expect(doubts({ PATHWAY_ERASURE_DELAY_MS: "0", PATHWAY_QUARANTINE_MS: "900000" })).toEqual([]);
});

test("says that no mail can be sent", () => {
  expect(doubts({ SMTP_URL: "" })).toEqual([expect.stringMatching(/^SMTP_URL is not set/)]);
});
