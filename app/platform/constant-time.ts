import { timingSafeEqual } from "node:crypto";

/** Compares two secrets without telling by its duration where they differ. */
export function equalSecrets(given: Buffer, expected: Buffer): boolean {
  return given.length === expected.length && timingSafeEqual(given, expected);
}
