import type { ApiVersion } from "@shopify/shopify-api";

/** The Admin API version that every operation of the app is written and checked against. */
export const API_VERSION = "2026-07" as ApiVersion.July26;

/**
 * When Shopify may stop to serve a version, in milliseconds since the epoch: each lives for twelve months. From then on it
 * answers in the oldest version that it still has, without an error. Throws on what is no name of a version.
 */
export function versionEndsAt(version: string): number {
  const [, year, month] = /^(\d{4})-(\d{2})$/.exec(version) ?? [];
  if (!year || !month) throw new Error(`No version of Shopify's: ${version}`);
  return Date.UTC(Number(year) + 1, Number(month) - 1);
}
