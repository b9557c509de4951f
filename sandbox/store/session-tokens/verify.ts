import { jwtVerify } from "jose";
import { z } from "zod";
import type { Platform } from "../platform.ts";
import { credentials } from "../state/credentials.ts";

const adminClaims = z.object({ dest: z.string(), sub: z.string(), iss: z.string() });

export interface AdminClaims {
  shop: string;
  userId: number;
}

/** Reads an admin session token; undefined when it is forged, expired, or not one. */
export async function verifyAdminToken(
  platform: Platform,
  token: string,
): Promise<AdminClaims | undefined> {
  const { apiKey, secrets } = credentials(platform);
  for (const secret of secrets) {
    try {
      const { payload } = await jwtVerify(token, new TextEncoder().encode(secret), {
        algorithms: ["HS256"],
        audience: apiKey,
      });
      const claims = adminClaims.parse(payload);
      return { shop: new URL(claims.dest).hostname, userId: Number(claims.sub) };
    } catch {
      // Signed with the other secret of a rotation, or not at all: the next one tells.
    }
  }
  return undefined;
}
