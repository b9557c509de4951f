import type { LockedPackage } from "./lock.ts";

/** Licences that ask for no more than to be named. */
const ALLOWED = new Set([
  ...["0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "BlueOak-1.0.0", "ISC", "MIT", "MIT-0"],
  ...["Unlicense", "MIT and ISC", "(Apache-2.0 AND MIT)", "(MIT OR CC0-1.0)"],
  "(Unlicense OR Apache-2.0)",
]);

/** Packages under any other licence, with the reason why that is well. */
const EXPLAINED: Record<string, string> = {
  "@shopify/polaris": "Shopify's own licence: for apps that work with Shopify, which this is",
  "@shopify/polaris-icons": "the same",
  "@shopify/polaris-tokens": "the same",
  elkjs: "EPL-2.0, used unchanged: a part of Prisma's command line, which serves no request",
  "seq-queue": "MIT by its LICENSE file; a part of Prisma's command line",
};

/** Packages of the running app whose licence nobody has looked at. */
export const unknownLicences = (packages: readonly LockedPackage[]): string[] =>
  packages
    .filter(({ isDev, licence, name }) => !isDev && !ALLOWED.has(licence ?? "") && !EXPLAINED[name])
    .map(({ name, licence }) => `${name}: ${licence ?? "no licence"}`);

/** Licences of the running app, with the packages under each. */
export function byLicence(packages: readonly LockedPackage[]): Map<string, string[]> {
  const found = Map.groupBy(
    packages.filter(({ isDev }) => !isDev),
    ({ licence, name }) => EXPLAINED[name] ?? licence ?? "none",
  );
  return new Map(
    [...found].map(([licence, own]) => [
      licence,
      [...new Set(own.map(({ name, version }) => `${name} ${version}`))].toSorted(),
    ]),
  );
}
