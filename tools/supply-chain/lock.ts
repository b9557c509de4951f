import { readFileSync } from "node:fs";
import { z } from "zod";

const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.looseObject({
      version: z.string().optional(),
      integrity: z.string().optional(),
      license: z.string().optional(),
      dev: z.boolean().optional(),
      link: z.boolean().optional(),
      resolved: z.string().optional(),
      hasInstallScript: z.boolean().optional(),
    }),
  ),
});

export interface LockedPackage {
  name: string;
  version: string;
  integrity: string | null;
  /** SPDX, as the package says; null when it says nothing. */
  licence: string | null;
  /** Only needed to build and test. */
  isDev: boolean;
  hasInstallScript: boolean;
  /** An address that the lock file names instead of the registry's own. */
  address: string | null;
}

/** Every package that `npm ci` installs, as the lock file names it. */
export function lockedPackages() {
  const file = new URL("../../package-lock.json", import.meta.url);
  const { packages } = lockSchema.parse(JSON.parse(readFileSync(file, "utf8")));
  return Object.entries(packages)
    .filter(([path, { link }]) => path !== "" && !link)
    .map(
      ([path, one]): LockedPackage => ({
        name: path.replace(/^.*node_modules\//, ""),
        version: one.version ?? "",
        integrity: one.integrity ?? null,
        licence: one.license ?? null,
        isDev: one.dev === true,
        hasInstallScript: one.hasInstallScript === true,
        address: one.resolved ?? null,
      }),
    );
}
