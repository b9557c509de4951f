import { movableClock } from "../../../../test/database/clock.ts";
import { createReferralServiceClient, type ReferralServiceClientOptions } from "../client.ts";
import { ownConnections, sharedConnections } from "../http/transport.ts";
import { createTokenSource, type TokenSourceOptions } from "../tokens/token-source.ts";
import type { Lock, StoredTokens, TokenStore } from "../tokens/token-store.ts";
import { answer, type Behaviour, startServer } from "./start-server.ts";

/** A token store in memory that keeps a copy, as a database would. */
export function memoryStore(): TokenStore & { kept: StoredTokens | null } {
  return {
    kept: null,
    async read() {
      return this.kept && structuredClone(this.kept);
    },
    async write(tokens) {
      this.kept = structuredClone(tokens);
    },
  };
}

/** One holder at a time, in order of arrival. */
export function memoryLock(): Lock {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const turn = last.then(work, work);
    last = turn.catch(() => {});
    return turn;
  };
}

/** The service with a token endpoint that hands out "access-1", "access-2" … and an API that behaves as told. */
export async function startService(
  api: Behaviour,
  options: {
    client?: Partial<ReferralServiceClientOptions>;
    tokens?: Partial<TokenSourceOptions>;
  } = {},
) {
  const clock = movableClock();
  let issued = 0;
  const server = await startServer((received, response) => {
    if (!received.target.startsWith("/oauth/token")) return api(received, response);
    issued += 1;
    answer(response, 200, {
      access_token: `access-${issued}`,
      refresh_token: `refresh-${issued}`,
      token_type: "Bearer",
      expires_in: 3600,
      refresh_expires_in: 2592000,
    });
  });
  const transport = sharedConnections();
  const tokens = createTokenSource({
    authUrl: server.url,
    credentials: { clientId: "client", clientSecret: "s3cret" },
    store: memoryStore(),
    lock: memoryLock(),
    transport,
    clock,
    ...options.tokens,
  });
  const client = createReferralServiceClient({
    environment: "staging",
    baseUrl: server.url,
    vendor: "service",
    tokens,
    transport,
    createTransport: options.client?.transport ?? ownConnections(),
    clock,
    ...options.client,
  });
  const apiRequests = () => server.requests.filter(({ target }) => !target.startsWith("/oauth/"));
  return { client, clock, server, apiRequests };
}
