import type { ShopDomain } from "../../app/modules/kernel/ids.ts";
import type { Job } from "../../app/modules/reports/jobs.ts";
import type { TestDatabase } from "./database.ts";

type Payload<Name extends Job["name"]> = Omit<Extract<Job, { name: Name }>, "name">;

/** Takes a shop's queued jobs of one kind out of the outbox, oldest first, as the relay would. Returns their payloads. */
export async function takeJobs<Name extends Job["name"]>(
  { pool }: Pick<TestDatabase, "pool">,
  shop: ShopDomain,
  name: Name,
): Promise<Payload<Name>[]> {
  const { rows } = await pool.query<{ payload: Payload<Name> }>(
    `WITH taken AS (DELETE FROM outbox WHERE shop = $1 AND name = $2 RETURNING id, payload)
     SELECT payload FROM taken ORDER BY id`,
    [shop, name],
  );
  return rows.map(({ payload }) => payload);
}
