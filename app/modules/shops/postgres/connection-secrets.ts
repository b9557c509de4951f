import type { Pool } from "pg";
import { z } from "zod";
import { parseEnum } from "../../../platform/database/parse-enum.ts";
import { type Sealers, withShopSealer } from "../../../platform/encryption/sealers.ts";
import { type ShopDomain, shopDomain } from "../../kernel/ids.ts";
import { hashSecret } from "../../kernel/secret.ts";
import {
  API_VERSIONS,
  type ApiVersion,
  type Credentials,
  ENVIRONMENTS,
  type Environment,
  SIGNING_SCHEMES,
  type Signing,
} from "../connection.ts";
import { connectionField } from "./connections.ts";
import { openFormer } from "./former-secrets.ts";

/** Secrets of connections, for the parts that use them: the client, its tokens, and the intake. */
export interface ConnectionSecrets {
  credentials(
    shop: ShopDomain,
    environment: Environment,
  ): Promise<(Credentials & { apiVersion: ApiVersion }) | null>;
  readTokens(shop: ShopDomain, environment: Environment): Promise<unknown>;
  writeTokens(shop: ShopDomain, environment: Environment, tokens: object): Promise<void>;
  /** Finds the connection of an event address, and how deliveries to it are signed. */
  byAddress(
    token: string,
  ): Promise<{ shop: ShopDomain; environment: Environment; signing: Signing } | null>;
}

const addressRow = z.object({
  shop: z.string(),
  environment: z.string(),
  scheme: z.string(),
  header: z.string().nullable(),
  secret: z.instanceof(Buffer).nullable(),
  previous: z.instanceof(Buffer).nullable(),
  until: z.date().nullable(),
  now: z.date(),
});

export function createConnectionSecrets(pool: Pool, sealers: Sealers): ConnectionSecrets {
  async function column(
    shop: ShopDomain,
    environment: Environment,
    { name, names }: { name: string; names: string },
  ): Promise<Buffer[]> {
    const { rows } = await pool.query<Buffer[]>({
      name,
      // A shop that has uninstalled has no connections any more: all work for it ends here.
      text: `SELECT ${names} FROM connections JOIN shops USING (shop)
             WHERE shop = $1 AND connections.environment = $2 AND uninstalled_at IS NULL`,
      values: [shop, environment],
      rowMode: "array",
    });
    return rows[0] ?? [];
  }

  return {
    async credentials(shop, environment) {
      const [id, secret, version] = await column(shop, environment, {
        name: "credentials",
        names: "client_id_sealed, client_secret_sealed, convert_to(api_version, 'UTF8')",
      });
      if (!id || !secret) return null;
      const apiVersion = version ? parseEnum(API_VERSIONS, String(version)) : "1.1.0";
      return withShopSealer(sealers, shop, (sealer) => {
        const open = (name: string, sealed: Buffer) =>
          sealer.open(connectionField(name, environment), sealed).toString("utf8");
        const clientId = open("client_id", id);
        return { clientId, clientSecret: open("client_secret", secret), apiVersion };
      });
    },
    async readTokens(shop, environment) {
      const [sealed] = await column(shop, environment, { name: "tokens", names: "tokens_sealed" });
      if (!sealed) return null;
      return withShopSealer(sealers, shop, (sealer) =>
        sealer.openJson(connectionField("tokens", environment), sealed),
      );
    },
    async writeTokens(shop, environment, tokens) {
      const sealer = await sealers.forShop(shop);
      const sealed = sealer.sealJson(connectionField("tokens", environment), tokens);
      // A shop that leaves at this moment has them destroyed, and none is stored behind that.
      await pool.query(
        `UPDATE connections SET tokens_sealed = $3 WHERE shop = $1 AND environment = $2
           AND EXISTS (SELECT FROM shops WHERE shop = $1 AND uninstalled_at IS NULL FOR SHARE)`,
        [shop, environment, sealed],
      );
    },
    async byAddress(token) {
      const { rows } = await pool.query({
        name: "connection-by-address",
        text: `SELECT c.shop, c.environment, c.signing_scheme AS scheme, c.signing_header AS header,
                      c.signing_secret_sealed AS secret,
                      c.previous_signing_secret_sealed AS previous, c.previous_secret_until AS until, now() AS now
               FROM connections c JOIN shops s ON s.shop = c.shop AND s.uninstalled_at IS NULL
               WHERE c.address_hash = $1`,
        values: [hashSecret(token)],
      });
      if (!rows[0]) return null;
      const row = addressRow.parse(rows[0]);
      const shop = shopDomain(row.shop);
      if (!shop) return null;
      const environment = parseEnum(ENVIRONMENTS, row.environment);
      const { header, secret: sealed, previous, until, now: at } = row;
      const secret =
        sealed &&
        (await withShopSealer(sealers, shop, (sealer) =>
          sealer.open(connectionField("signing_secret", environment), sealed).toString("utf8"),
        ));
      const former =
        previous &&
        (await withShopSealer(sealers, shop, (sealer) =>
          openFormer(sealer, environment, { sealed: previous, until, at }),
        ));
      const previousSecrets = former?.map((one) => one.secret) ?? [];
      const scheme = parseEnum(SIGNING_SCHEMES, row.scheme);
      return { shop, environment, signing: { scheme, header, secret, previousSecrets } };
    },
  };
}
