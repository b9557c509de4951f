import type { ReferralServices } from "../../app/modules/referrals/ports.ts";
import { createConnectionSecrets } from "../../app/modules/shops/postgres/connection-secrets.ts";
import { startCreated } from "./created.ts";
import type { TestDatabase } from "./database.ts";
import { connect } from "./seed.ts";

/** A request that was ordered, at a connection whose stored credentials are read for each call. */
export async function startReadingCredentials(
  db: TestDatabase,
  options?: Parameters<typeof startCreated>[1],
) {
  const secrets = createConnectionSecrets(db.pool, db.sealers);
  const created = await startCreated(db, options);
  const { shop, ports: real } = created;
  await connect(db, shop);
  const services: ReferralServices = {
    async forConnection(...of) {
      return (await secrets.credentials(...of)) && real.services.forConnection(...of);
    },
  };
  return {
    ...created,
    ports: { ...real, services },
    /** Done twice, it puts the stored bytes right. */
    damage: () =>
      db.pool.query(
        `UPDATE connections SET client_secret_sealed =
           set_byte(client_secret_sealed, 30, 255 - get_byte(client_secret_sealed, 30)) WHERE shop = $1`,
        [shop],
      ),
  };
}
