import { z } from "zod";
import { Prisma } from "../../../../generated/prisma/client.ts";
import type { Scope } from "../../../../platform/database/scope.ts";
import { STAGES } from "../../../referrals/stage.ts";
import type { DayOfRequests } from "../../home-figures.ts";

const stage = z.enum(STAGES);

const dayRows = z.array(z.object({ day: z.string(), stage, count: z.number() }));

export async function readRequestsByDay(
  { tx, shop }: Scope,
  since: Date,
  timeZone: string,
): Promise<DayOfRequests[]> {
  const rows = await tx.$queryRaw`
    SELECT to_char(order_paid_at AT TIME ZONE ${timeZone}, 'YYYY-MM-DD') AS day, stage,
           count(*)::int AS count
    FROM referral_requests
    WHERE shop = ${shop} AND stage IN (${Prisma.join(STAGES)}) AND order_paid_at >= ${since}
    GROUP BY 1, 2 ORDER BY 1`;
  return dayRows.parse(rows);
}
