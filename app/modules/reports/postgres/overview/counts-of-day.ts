import { z } from "zod";
import { Prisma } from "../../../../generated/prisma/client.ts";
import type { Scope } from "../../../../platform/database/scope.ts";
import { STAGES } from "../../../referrals/stage.ts";
import type { CountsOfDay } from "../../home-figures.ts";

const count = z.number();
const countRows = z.tuple([
  z.object({ orders: count, forms: count, results: count, reports: count }),
]);

export async function readCountsOfDay(
  { tx, shop }: Scope,
  day: string,
  timeZone: string,
): Promise<CountsOfDay> {
  const from = Prisma.sql`(${day}::date::timestamp AT TIME ZONE ${timeZone})`;
  const until = Prisma.sql`((${day}::date + 1)::timestamp AT TIME ZONE ${timeZone})`;
  const documents = (kind: string) => Prisma.sql`
    (SELECT count(*)::int FROM documents WHERE shop = ${shop} AND version = 1 AND kind = ${kind}
       AND created_at >= ${from} AND created_at < ${until})`;
  const [counts] = countRows.parse(
    await tx.$queryRaw`
      SELECT (SELECT count(DISTINCT order_id)::int FROM referral_requests
              WHERE shop = ${shop} AND stage IN (${Prisma.join(STAGES)})
                AND order_paid_at >= ${from} AND order_paid_at < ${until}) AS orders,
             ${documents("referral")} AS forms, ${documents("result")} AS reports,
             (SELECT count(*)::int FROM results
              WHERE shop = ${shop} AND received_at >= ${from} AND received_at < ${until}) AS results`,
  );
  return counts;
}
