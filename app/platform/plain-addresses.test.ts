import { expect, test } from "vitest";
import { readProcessSettings } from "./env.ts";
import { plainAddresses, refusePlainAddresses } from "./plain-addresses.ts";

const ENCRYPTED = {
  SHOPIFY_APP_URL: "https://pathway.test",
  SHOPIFY_API_KEY: "key",
  SHOPIFY_API_SECRET: "secret",
  REFERRAL_SERVICE_STAGING_BASE_URL: "https://service.test",
  REFERRAL_SERVICE_STAGING_AUTH_URL: "https://auth.service.test/token",
  REFERRAL_SERVICE_PRODUCTION_BASE_URL: "https://service.test",
  REFERRAL_SERVICE_PRODUCTION_AUTH_URL: "https://auth.service.test/token",
  MAIL_FROM: "no-reply@pathway.test",
};
const read = (variables: Record<string, string> = {}) =>
  readProcessSettings({ ...ENCRYPTED, ...variables });
const settings = (variables: Record<string, string>) =>
  plainAddresses(read(variables)).map(({ setting }) => setting);

test("nothing is said of what is encrypted", () => {
  expect(refusePlainAddresses(read())).toBeNull();
});

test.each([
  ["SHOPIFY_APP_URL", "http://pathway.test"],
  ["SHOPIFY_API_ORIGIN", "http://127.0.0.1:4000"],
  ["SHOPIFY_ADMIN_ORIGIN", "HTTP://admin.test"],
  ["APP_BRIDGE_URL", "http://cdn.test/app-bridge.js"],
  ["REFERRAL_SERVICE_STAGING_BASE_URL", "http://service.test"],
  ["REFERRAL_SERVICE_STAGING_AUTH_URL", "http://service.test/token"],
  ["REFERRAL_SERVICE_PRODUCTION_BASE_URL", "http://service.test"],
  ["REFERRAL_SERVICE_PRODUCTION_AUTH_URL", "http://service.test/token"],
  ["REFERRAL_SERVICE_PRODUCTION_APP_URL", "http://service.test"],
  ["REFERRAL_ATTACHMENT_HOSTS", "files.test,http://files.test:8080"],
  ["SMTP_URL", "smtp://mail.test:587"],
  ["DATABASE_URL", "postgres://app:secret@db.test/pathway"],
  ["DATABASE_URL", "postgres://app:secret@127.0.0.1/pathway?sslmode=prefer"],
  ["DATABASE_URL", "postgres://app:secret@db.test/pathway?sslmode=disable"],
])("refuses %s=%s, and names it", (setting, value) => {
  expect(settings({ [setting]: value })).toEqual([setting]);
  expect(() => refusePlainAddresses(read({ [setting]: value }))).toThrow(setting);
});

test.each([
  ["SMTP_URL", "smtps://mail.test"],
  ["SMTP_URL", "smtp://mail.test:587?requireTLS=true"],
  ["DATABASE_URL", "postgres://app:secret@db.test/pathway?sslmode=verify-full"],
  ["DATABASE_URL", "postgresql://app:secret@/pathway?host=/run/postgresql"],
  ["DATABASE_URL", "postgresql://app@%2Frun%2Fpostgresql/pathway"],
  ["DATABASE_URL", "postgresql://app@localhost/pathway?host=/run/postgresql"],
])("takes %s=%s", (setting, value) => {
  expect(settings({ [setting]: value })).toEqual([]);
});

test("with the setting it starts, and says aloud what is in the clear, without its value", () => {
  const warning = refusePlainAddresses(
    read({
      DATABASE_URL: "postgres://app:secret@db.test/pathway",
      SHOPIFY_APP_URL: "http://pathway.test",
      PATHWAY_ALLOW_PLAIN_HTTP: "1",
    }),
  );
  expect(warning).toContain("SHOPIFY_APP_URL, DATABASE_URL");
  expect(warning).not.toContain("secret");
});
