import { z } from "zod";
import { keepSaid } from "../../../platform/keep-said.ts";

type Json = Record<string, unknown>;

/** Signed addresses are for now: as they were said, too, they are not for later (interface §2.1). */
const FOR_NOW = ["referralAttachment", "resultAttachment"];

/**
 * Reads by a schema, and keeps everything that was said beside it, as `whole`. Fields that this version does not know may
 * come without a new version of the interface (§9), and a stored copy is the whole answer (§1.3). A field that was read
 * stands there as it was read, and under `said` as it was said where that is something else.
 */
export function keepWhole<T extends Json>(schema: z.ZodType<T>) {
  return z.unknown().transform((answer, context): T & { whole: Json } => {
    const parsed = schema.safeParse(answer);
    if (parsed.success)
      return { ...parsed.data, whole: keepSaid(parsed.data, answer, FOR_NOW) as Json };
    for (const issue of parsed.error.issues)
      context.issues.push({ ...issue, input: answer } as z.core.$ZodRawIssue);
    return z.NEVER;
  });
}
