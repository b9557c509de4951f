import { z } from "zod";
import { Prisma } from "../../../../generated/prisma/client.ts";
import type { Scope } from "../../../../platform/database/scope.ts";
import { STAGES, type Stage, stageRecord } from "../../../referrals/stage.ts";
import { stageCount } from "./order-selection.ts";

const stage = z.enum(STAGES);

export async function readStageCounts(
  { tx, shop }: Scope,
  limit: number,
): Promise<Record<Stage, number>> {
  const counts = STAGES.map((one) => stageCount(shop, one, limit));
  const rows = z
    .array(z.object({ stage, count: z.number() }))
    .parse(await tx.$queryRaw`${Prisma.join(counts, " UNION ALL ")}`);
  return stageRecord((name) => rows.find((row) => row.stage === name)?.count ?? 0);
}
