import { z } from "zod";
import { type LeasePorts, withLease } from "../../../platform/database/lease.ts";
import type { ShopDomain } from "../../kernel/ids.ts";
import type { Environment } from "../connection.ts";
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

/** Where a connection's tokens are kept, and the lease under which any process renews them. */
export function createLeasedTokens(
  ports: LeasePorts,
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
      withLease(ports, { shop, name: `tokens ${environment}` }, work),
  };
}
