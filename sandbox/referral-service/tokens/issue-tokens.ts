import type { Clock } from "../clock.ts";
import type { Faults } from "../faults/faults.ts";
import { randomSecret } from "../storage/secrets.ts";
import type { Stores } from "../storage/stores.ts";
import { type AccessTokens, accessTokenSeconds } from "./access-token.ts";
import { presentedClient } from "./client-authentication.ts";
import { TokenError } from "./token-error.ts";

/** Refresh token lifetime (interface §8). */
const refreshTokenSeconds = 2_592_000;

/** The body of interface §5.3. */
export interface TokenAnswer {
  access_token: string;
  refresh_token: string;
  token_type: "Bearer";
  expires_in: number;
  refresh_expires_in: number;
}

export interface TokenIssuer {
  /** Throws TokenError for every refusal of §7.4. */
  issue(authorization: string | undefined, form: URLSearchParams): Promise<TokenAnswer>;
}

/** The token service's two grants; a refresh token works once (interface §5.1, §5.2). */
export function createTokenIssuer(options: {
  stores: Stores;
  clock: Clock;
  accessTokens: AccessTokens;
  faults: Faults;
}): TokenIssuer {
  const { stores, clock, accessTokens, faults } = options;

  const clientOf = (authorization: string | undefined, form: URLSearchParams): string => {
    const { clientId, clientSecret } = presentedClient(authorization, form);
    const credential = stores.credentials.find(clientId);
    if (!credential) throw new TokenError("InvalidClientId");
    const { basicRefused } = faults.of(credential.organisationId).settings;
    if (basicRefused && authorization !== undefined)
      throw new TokenError("AuthorizationHeaderInvalid");
    if (!stores.credentials.secretIsRight(clientId, clientSecret)) {
      throw new TokenError("InvalidCredentials", "Client id or client secret incorrect");
    }
    return clientId;
  };

  const clientOfRefreshToken = (form: URLSearchParams): string => {
    const clientId = stores.refreshTokens.consume(form.get("refresh_token") ?? "", clock.nowMs());
    if (clientId === null) throw new TokenError("RefreshTokenInvalid");
    return clientId;
  };

  return {
    async issue(authorization, form) {
      const grantType = form.get("grant_type");
      if (grantType !== "client_credentials" && grantType !== "refresh_token") {
        throw new TokenError("InvalidGrantType");
      }
      const clientId =
        grantType === "client_credentials"
          ? clientOf(authorization, form)
          : clientOfRefreshToken(form);
      const credential = stores.credentials.find(clientId);
      if (!credential) throw new TokenError("InvalidClientId");
      if (!stores.accounts.exists(credential.accountId)) throw new TokenError("UserNotFound");
      const organisation = stores.organisations.find(credential.organisationId);
      if (!organisation) throw new TokenError("InvalidClientId");
      const refreshToken = randomSecret("refresh");
      stores.refreshTokens.save(refreshToken, clientId, clock.nowMs() + refreshTokenSeconds * 1000);
      return {
        access_token: await accessTokens.sign({ clientId, organisationUuid: organisation.uuid }),
        refresh_token: refreshToken,
        token_type: "Bearer",
        expires_in: accessTokenSeconds,
        refresh_expires_in: refreshTokenSeconds,
      };
    },
  };
}
