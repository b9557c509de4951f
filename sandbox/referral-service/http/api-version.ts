import { invalidParameter } from "./api-error.ts";

/** The minor versions of the interface (§9). */
export type ApiVersion = "1.0.0" | "1.1.0";

const mediaType = /^application\/vnd\.[A-Za-z0-9!#$&^_.+-]+\.v(\d+\.\d+\.\d+)\+json$/i;

/** The sentence that rules 5 and 6 of §4.2 ask for. */
export function upgradeAdvice(what: string): string {
  return `${what} needs version 1.1.0 or later: send the header Accept: application/vnd.service.v1.1.0+json`;
}

function quality(parameters: string[]): number {
  const q = parameters.map((p) => /^q=([\d.]+)$/i.exec(p.trim())?.[1]).find((v) => v !== undefined);
  return q === undefined ? 1 : Number(q);
}

/**
 * Chooses the version from the Accept header, whatever its vendor token is. Media types that name
 * no version mean the default, 1.0.0.
 *
 * Throws ApiError 400 when the header names only versions that do not exist.
 */
export function negotiateVersion(accept: string | undefined): ApiVersion {
  const wanted = (accept ?? "")
    .split(",")
    .map((entry) => {
      const [type = "", ...parameters] = entry.split(";");
      return {
        version: mediaType.exec(type.trim())?.[1],
        q: quality(parameters),
        type: type.trim(),
      };
    })
    .filter((entry) => entry.q > 0);
  const versioned = wanted.filter((entry) => entry.version !== undefined);
  const best = versioned
    .filter((entry) => entry.version === "1.0.0" || entry.version === "1.1.0")
    .sort((a, b) => b.q - a.q)[0];
  if (best) return best.version === "1.1.0" ? "1.1.0" : "1.0.0";
  if (versioned.length > 0 && versioned.length === wanted.length) {
    throw invalidParameter(`Version ${versioned[0]?.version} is not served; use 1.0.0 or 1.1.0`);
  }
  return "1.0.0";
}
