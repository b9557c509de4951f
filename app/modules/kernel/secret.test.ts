import { describe, expect, test } from "vitest";
import {
  endOfSecret,
  equalSecrets,
  expiryOf,
  hashSecret,
  isBeforeSetBack,
  isInItsTime,
  latestMade,
  lifetimeMs,
  newSecret,
  type SecretPurpose,
  signFor,
  TOKEN_FORM,
} from "./secret.ts";

const NOW = new Date("2026-11-23T00:00:00Z");

describe("makes", () => {
  const many = (purpose: SecretPurpose) => Array.from({ length: 100 }, () => newSecret(purpose));

  test.each([
    "access_link",
    "guest_session",
    "document_ticket",
    "export_ticket",
    "share_link",
  ] as const)("256 bits for %s, each another", (purpose) => {
    const secrets = many(purpose);
    for (const secret of secrets) expect(Buffer.from(secret, "base64url")).toHaveLength(32);
    for (const secret of secrets) expect(secret).toMatch(new RegExp(`^${TOKEN_FORM}$`));
    expect(new Set(secrets).size).toBe(100);
  });

  test("192 bits for the address of events", () => {
    const secrets = many("event_address");
    for (const secret of secrets) expect(Buffer.from(secret, "base64url")).toHaveLength(24);
    expect(new Set(secrets).size).toBe(100);
  });

  test("six digits for a mailed code, leading zeros included", () => {
    for (const code of many("step_up_code")) expect(code).toMatch(/^\d{6}$/);
    expect(new Set(many("step_up_code")).size).toBeGreaterThan(90);
  });

  test("eight digits for a doctor's passcode, leading zeros included", () => {
    for (const code of many("share_passcode")) expect(code).toMatch(/^\d{8}$/);
    expect(new Set(many("share_passcode")).size).toBeGreaterThan(90);
  });
});

test("keeps of a secret its SHA-256 only, the same in every version of this program", () => {
  expect(hashSecret("secret").toString("hex")).toBe(
    "2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b",
  );
});

describe("compares", () => {
  test("takes only the same bytes for the same secret", () => {
    expect(equalSecrets("secret", "secret")).toBe(true);
    expect(equalSecrets("secret", Buffer.from("secret"))).toBe(true);
    expect(equalSecrets("secreT", "secret")).toBe(false);
  });

  test("takes no beginning of a secret, nothing longer and nothing empty for it", () => {
    expect(equalSecrets("secre", "secret")).toBe(false);
    expect(equalSecrets("secrets", "secret")).toBe(false);
    expect(equalSecrets("", "secret")).toBe(false);
  });
});

describe("ends", () => {
  test("a link after fourteen days, its session after two hours, a code after ten minutes, a ticket after one", () => {
    expect(lifetimeMs("access_link")).toBe(14 * 86_400_000);
    expect(lifetimeMs("guest_session")).toBe(7_200_000);
    expect(lifetimeMs("step_up_code")).toBe(600_000);
    expect(lifetimeMs("document_ticket")).toBe(60_000);
    expect(expiryOf("document_ticket", NOW)).toEqual(new Date(NOW.getTime() + 60_000));
  });

  test("with its last moment", () => {
    const expiresAt = new Date(NOW.getTime() + 1);
    expect(endOfSecret({ expiresAt }, NOW)).toBeNull();
    expect(endOfSecret({ expiresAt: NOW }, NOW)).toBe("expired");
  });

  test("for the weightiest of several reasons", () => {
    const used = { expiresAt: NOW, usedAt: NOW };
    expect(endOfSecret(used, NOW)).toBe("used");
    expect(endOfSecret({ ...used, supersededAt: NOW }, NOW)).toBe("superseded");
    expect(endOfSecret({ ...used, supersededAt: NOW, revokedAt: NOW }, NOW)).toBe("revoked");
    const open = { usedAt: null, supersededAt: null, revokedAt: null };
    expect(endOfSecret({ expiresAt: new Date(NOW.getTime() + 1), ...open }, NOW)).toBeNull();
  });
});

describe("a clock that was set back", () => {
  const later = (ms: number) => new Date(NOW.getTime() + ms);

  test("shows by what was made more than a minute later than now", () => {
    expect(latestMade(NOW)).toEqual(later(60_000));
    expect(isBeforeSetBack(later(60_000), NOW)).toBe(false);
    expect(isBeforeSetBack(later(60_001), NOW)).toBe(true);
  });

  test.each([
    ["has not ended", true, 1],
    ["ends now", false, 0],
    ["was made just now", true, 600_000],
    ["was made within the minute that two clocks may be apart", true, 660_000],
    ["was made before the clock was set back", false, 660_001],
  ])("a code that %s is in its time: %s", (_what, isInTime, leftMs) => {
    expect(isInItsTime("step_up_code", later(leftMs), NOW)).toBe(isInTime);
  });
});

test("signs the purpose with the text, so that no signature passes for another", () => {
  const form = signFor("form", "key", "text");
  // Forms that were rendered, and digests that were stored, by every version of this program.
  expect(form.toString("base64url")).toBe("Omtlqc7NkNo-tG_iayks7bzlLSaW1ZVsiNkDH595iO8");
  expect(signFor("webhook_body", "key", "text").toString("base64url")).toBe(
    "t8m44KsiqKzHr4b8kJciasKYw6HuJgFyb59GwegF_Os",
  );
  expect(signFor("form", "other", "text")).not.toEqual(form);
});
