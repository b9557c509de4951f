import { createHash, randomBytes, scryptSync, timingSafeEqual } from "node:crypto";

/** A random secret of 256 bits with a readable prefix. */
export function randomSecret(prefix: string): string {
  return `${prefix}_${randomBytes(32).toString("base64url")}`;
}

/** The stored form of a random secret; no salt is needed for 256 random bits. */
export function hashSecret(secret: string): string {
  return createHash("sha256").update(secret).digest("base64url");
}

/** Compares two texts in a time that tells nothing about where they differ. */
export function sameText(a: string, b: string): boolean {
  const digest = (value: string) => createHash("sha256").update(value).digest();
  return timingSafeEqual(digest(a), digest(b));
}

/** The stored form of a password that a person chose. */
export function hashPassword(password: string): string {
  const salt = randomBytes(16);
  return `${salt.toString("base64url")}.${scryptSync(password, salt, 32).toString("base64url")}`;
}

/** Whether a password matches its stored form. */
export function passwordMatches(password: string, stored: string): boolean {
  const [salt = "", hash = ""] = stored.split(".");
  const actual = scryptSync(password, Buffer.from(salt, "base64url"), 32);
  return timingSafeEqual(actual, Buffer.from(hash, "base64url"));
}
