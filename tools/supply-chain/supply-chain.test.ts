import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { z } from "zod";
import { byLicence, unknownLicences } from "./licences.ts";
import { lockedPackages } from "./lock.ts";

const packages = lockedPackages();
const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), "utf8");
const settings = z
  .object({
    allowScripts: z.record(z.string(), z.boolean()),
    dependencies: z.record(z.string(), z.string()),
    devDependencies: z.record(z.string(), z.string()),
  })
  .parse(JSON.parse(read("package.json")));

test("installs nothing whose bytes the lock file does not name", () => {
  expect(packages.length).toBeGreaterThan(300);
  const isUnnamed = ({ integrity, address }: (typeof packages)[number]) =>
    !integrity?.startsWith("sha512-") || address !== null;
  expect(packages.filter(isUnnamed).map(({ name }) => name)).toEqual([]);
});

test("takes every package at one exact version", () => {
  const wanted = { ...settings.dependencies, ...settings.devDependencies };
  const exact = /^(npm:[a-z0-9@/.-]+@)?\d+\.\d+\.\d+/;
  const loose = Object.entries(wanted).filter(([, version]) => !exact.test(version));
  expect(loose).toEqual([]);
});

test("runs no script of a package when it is installed", () => {
  expect(read(".npmrc")).toMatch(/^ignore-scripts=true$/m);
  expect(Object.values(settings.allowScripts)).not.toContain(true);
});

test("knows the licence of everything that the running app consists of", () => {
  expect(unknownLicences(packages)).toEqual([]);
  const fresh = { name: "new", licence: "AGPL-3.0", isDev: false } as (typeof packages)[number];
  expect(unknownLicences([fresh])).toEqual(["new: AGPL-3.0"]);
  expect(byLicence(packages).get("MIT")?.length).toBeGreaterThan(100);
});
