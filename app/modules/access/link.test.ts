import { expect, test } from "vitest";
import {
  hashOf,
  LINK_LIFETIME_MS,
  MAIL_UNRECORDED_MS,
  newSecret,
  stopsOf,
  VISIT_MS,
} from "./link.ts";

test("knows whose reminders a link ends, and which links let somebody in", () => {
  expect(stopsOf("buyer_stop")).toBe("buyer");
  expect(stopsOf("patient_stop")).toBe("patient");
  expect(stopsOf("guest")).toBeNull();
  expect(stopsOf("handover")).toBeNull();
});

test("makes secrets of 256 bits, each another", () => {
  const secrets = Array.from({ length: 100 }, newSecret);
  for (const secret of secrets) expect(Buffer.from(secret, "base64url")).toHaveLength(32);
  for (const secret of secrets) expect(secret).toMatch(/^[\w-]{43}$/);
  expect(new Set(secrets).size).toBe(100);
});

test("keeps of a secret its SHA-256 only, the same in every version of this program", () => {
  expect(hashOf("secret").toString("hex")).toBe(
    "2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b",
  );
});

test("waits fourteen days for a link to be opened, two hours for its visit to end", () => {
  expect(LINK_LIFETIME_MS).toBe(14 * 86_400_000);
  expect(VISIT_MS).toBe(7_200_000);
  expect(MAIL_UNRECORDED_MS).toBe(300_000);
});
