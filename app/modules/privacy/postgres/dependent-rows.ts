import { Prisma } from "../../../generated/prisma/client.ts";
import { heldRequests } from "../../../platform/database/held-rows.ts";
import type { Scope } from "../../../platform/database/scope.ts";

/** The rows of a request that outlive its patient's data: the referral's skeleton, and who did what when. */
const KEPT = ["referrals", "staff_access", "access_log", "timeline"];

/**
 * Deletes every row that hangs on these requests, in whatever table has a column `request_id`: a table that is
 * added later is emptied unless somebody decides otherwise. Returns how many rows of which table.
 */
export async function deleteDependentRows(
  { tx, shop }: Pick<Scope, "tx" | "shop">,
  requestIds: string[],
): Promise<Record<string, number>> {
  const tables = await tx.$queryRaw<{ name: string }[]>`
    SELECT table_name AS name FROM information_schema.columns
    WHERE table_schema = 'public' AND column_name = 'request_id' AND table_name <> ALL(${KEPT})
    ORDER BY 1`;
  const counts: Record<string, number> = {};
  for (const { name } of tables)
    counts[name] = await tx.$executeRaw`
      DELETE FROM ${Prisma.raw(`"${name}"`)} WHERE shop = ${shop} AND request_id = ANY(${requestIds}::uuid[])`;
  return counts;
}

/** Empties every sealed column of these requests, as the database lists them. */
export async function emptySealed(
  { tx, shop }: Pick<Scope, "tx" | "shop">,
  requestIds: string[],
): Promise<void> {
  heldRequests(tx).clear();
  const columns = await tx.$queryRaw<{ name: string }[]>`
    SELECT column_name AS name FROM information_schema.columns
    WHERE table_schema = 'public' AND table_name = 'referral_requests' AND column_name LIKE '%\\_sealed'`;
  for (const { name } of columns)
    await tx.$executeRaw`
      UPDATE referral_requests SET ${Prisma.raw(`"${name}"`)} = NULL
      WHERE shop = ${shop} AND id = ANY(${requestIds}::uuid[])`;
}
