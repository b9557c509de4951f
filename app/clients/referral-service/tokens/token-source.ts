import { crashPoint } from "../../../platform/crash-points.ts";
import { ReferralServiceError, type ReferralServiceFailure } from "../../../platform/errors.ts";
import { requestTokens, type TokenServiceOptions } from "./request-tokens.ts";
import type { Lock, StoredTokens, TokenStore } from "./token-store.ts";

/** Access tokens of one connection. Both methods throw ReferralServiceError. */
export interface TokenSource {
  /** A token that is not about to expire. */
  token(): Promise<string>;
  /** Another token, asked for with the credentials, because the service answered 401 to `refused`. */
  renew(refused: string): Promise<string>;
}

export interface TokenSourceOptions extends TokenServiceOptions {
  store: TokenStore;
  lock: Lock;
}

const MARGIN_MS = 60_000;

/**
 * Renews before expiry, once for however many callers and processes ask at the same time. Callers in this process share one
 * renewal. Processes take turns at the lock, and each looks first whether another has renewed already. A refresh token is
 * used once (interface §5.3), so a second use would lose the chain.
 */
export function createTokenSource(options: TokenSourceOptions): TokenSource {
  const { store, lock, clock, credentials } = options;
  let current: StoredTokens | null = null;
  let renewal: { promise: Promise<StoredTokens>; refused: string | null } | null = null;

  function usable(tokens: StoredTokens | null, refused: string | null): tokens is StoredTokens {
    if (tokens?.clientId !== credentials.clientId || tokens.accessToken === refused) return false;
    return clock.now().getTime() < renewAt(tokens);
  }

  async function refreshed(stored: StoredTokens | null): Promise<StoredTokens | null> {
    if (!stored?.refreshToken || stored.clientId !== credentials.clientId) return null;
    if (stored.refreshExpiresAt && clock.now() >= new Date(stored.refreshExpiresAt)) return null;
    try {
      return await requestTokens(options, {
        type: "refresh_token",
        refreshToken: stored.refreshToken,
      });
    } catch (error) {
      // 108 or any other refusal: the client credentials still work. A dead network would refuse them too.
      if (error instanceof ReferralServiceError && !NO_USE_ASKING.has(error.failure)) return null;
      throw error;
    }
  }

  function renewOnce(refused: string | null): Promise<StoredTokens> {
    return lock(async () => {
      const stored = await store.read();
      if (usable(stored, refused)) return stored;
      crashPoint("tokens.before-refresh");
      // A token from a refused one's chain may be refused as it was: only the credentials say that we are not let in.
      const next = refused === null ? await refreshed(stored) : null;
      const fresh = next ?? (await requestTokens(options, { type: "client_credentials" }));
      crashPoint("tokens.after-refresh-before-store");
      await store.write(fresh);
      return fresh;
    });
  }

  async function shared(refused: string | null): Promise<string> {
    // A renewal that began before this token was refused might hand out that very token again.
    if (!renewal || (refused !== null && renewal.refused !== refused)) {
      const started = { promise: renewOnce(refused), refused };
      renewal = started;
      const done = () => {
        if (renewal === started) renewal = null;
      };
      started.promise.then(done, done);
    }
    current = await renewal.promise;
    return current.accessToken;
  }

  return {
    async token() {
      return usable(current, null) ? current.accessToken : shared(null);
    },
    async renew(refused) {
      // Callers that come while the renewal runs must wait for it, not take the refused one.
      if (current?.accessToken === refused) current = null;
      return usable(current, refused) ? current.accessToken : shared(refused);
    },
  };
}

const NO_USE_ASKING: ReadonlySet<ReferralServiceFailure> = new Set([
  "connection",
  "timeout",
  "rate_limited",
]);

/** 60 s before expiry, or halfway through a lifetime too short for that. */
function renewAt(tokens: StoredTokens): number {
  const expiresAt = Date.parse(tokens.expiresAt);
  const lifetimeMs = expiresAt - Date.parse(tokens.obtainedAt);
  return expiresAt - Math.min(MARGIN_MS, lifetimeMs / 2);
}
