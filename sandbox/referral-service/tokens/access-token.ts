import { randomBytes, randomUUID } from "node:crypto";
import { errors, jwtVerify, SignJWT } from "jose";
import type { Clock } from "../clock.ts";
import type { Settings } from "../storage/settings.ts";

/** Access token lifetime (interface §8). */
export const accessTokenSeconds = 3600;

/** The reading of a bearer token. */
export type TokenReading =
  | { kind: "valid"; clientId: string }
  | { kind: "invalid" }
  | { kind: "bad-signature" };

export interface AccessTokens {
  sign(input: { clientId: string; organisationUuid: string }): Promise<string>;
  read(token: string): Promise<TokenReading>;
}

/**
 * Base64url lets a last character vary in bits that carry nothing, so a changed signature could
 * still decode to the same bytes. Only the canonical spelling is accepted.
 */
function hasCanonicalSignature(token: string): boolean {
  const signature = token.slice(token.lastIndexOf(".") + 1);
  return Buffer.from(signature, "base64url").toString("base64url") === signature;
}

/** Signs and reads the JWTs of one environment; the key never leaves its storage (interface §5). */
export function createAccessTokens(options: {
  settings: Settings;
  clock: Clock;
  environment: string;
}): AccessTokens {
  const { settings, clock, environment } = options;
  const stored = settings.get("accessTokenKey") ?? randomBytes(32).toString("base64url");
  settings.set("accessTokenKey", stored);
  const key = Buffer.from(stored, "base64url");
  const issuer = `referral-service/${environment}`;
  return {
    sign({ clientId, organisationUuid }) {
      const issuedAt = Math.floor(clock.nowMs() / 1000);
      return new SignJWT({ client_id: clientId })
        .setProtectedHeader({ alg: "HS256", typ: "JWT" })
        .setIssuer(issuer)
        .setSubject(organisationUuid)
        .setJti(randomUUID())
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + accessTokenSeconds)
        .sign(key);
    },
    async read(token) {
      try {
        const { payload } = await jwtVerify(token, key, {
          algorithms: ["HS256"],
          issuer,
          requiredClaims: ["exp", "client_id"],
          currentDate: new Date(clock.nowMs()),
        });
        if (!hasCanonicalSignature(token)) return { kind: "bad-signature" };
        return typeof payload.client_id === "string"
          ? { kind: "valid", clientId: payload.client_id }
          : { kind: "invalid" };
      } catch (error) {
        const forged = error instanceof errors.JWSSignatureVerificationFailed;
        return { kind: forged ? "bad-signature" : "invalid" };
      }
    },
  };
}
