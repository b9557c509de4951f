import type { Pool } from "pg";
import { z } from "zod";
import type { TimelineEnder } from "../privacy.ts";

const answerSchema = z.object({
  ended: z.number(),
  behind: z.tuple([z.string(), z.string()]).nullable(),
  more: z.boolean(),
});

/** Asks the database, which decides by itself what has ended (`end_timeline`, prisma/access.sql). */
export const createTimelineEnder = (pool: Pool): TimelineEnder => ({
  async end(shop, { at, behind }) {
    const { rows } = await pool.query("SELECT end_timeline($1, $2, $3) AS answer", [
      ...[shop, at, behind && JSON.stringify(behind)],
    ]);
    return answerSchema.parse(rows[0]?.answer);
  },
});
