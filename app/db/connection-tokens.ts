import type { Pool } from "pg";
import { z } from "zod";
import type { Environment } from "../domain/connections/connection.ts";
import type { ShopDomain } from "../domain/ids.ts";
import { withAdvisoryLock } from "./advisory-lock.ts";
import type { ConnectionSecrets } from "./connection-secrets.ts";

const tokensSchema = z
  .object({
    accessToken: z.string(),
    refreshToken: z.string().nullable(),
    obtainedAt: z.string(),
    expiresAt: z.string(),
    refreshExpiresAt: z.string().nullable(),
    clientId: z.string(),
  })
  .nullable();

type Tokens = NonNullable<z.infer<typeof tokensSchema>>;

/** Where a connection's tokens are kept, and the lock under which any process renews them. */
export function createAdvisoryLockedTokens(
  pool: Pool,
  secrets: ConnectionSecrets,
  shop: ShopDomain,
  environment: Environment,
) {
  return {
    store: {
      read: async () => tokensSchema.parse(await secrets.readTokens(shop, environment)),
      write: (tokens: Tokens) => secrets.writeTokens(shop, environment, tokens),
    },
    lock: <T>(work: () => Promise<T>) =>
      withAdvisoryLock(pool, `tokens ${shop} ${environment}`, work),
  };
}
