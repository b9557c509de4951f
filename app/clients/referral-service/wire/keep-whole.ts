import { z } from "zod";

type Json = Record<string, unknown>;

/**
 * Reads by a schema, and keeps everything that was said beside it, as `whole`. Fields that this version does not know may
 * come without a new version of the interface (§9), and a stored copy is the whole answer (§1.3). A field that was read
 * stands there as it was read.
 */
export function keepWhole<T extends Json>(schema: z.ZodType<T>) {
  return z.unknown().transform((answer, context): T & { whole: Json } => {
    const parsed = schema.safeParse(answer);
    if (parsed.success) return { ...parsed.data, whole: withRest(parsed.data, answer) as Json };
    for (const issue of parsed.error.issues)
      context.issues.push({ ...issue, input: answer } as z.core.$ZodRawIssue);
    return z.NEVER;
  });
}

/** What was read, with the fields beside it that were not. */
function withRest(read: unknown, said: unknown): unknown {
  if (Array.isArray(read) && Array.isArray(said) && read.length === said.length)
    return read.map((entry, at) => withRest(entry, said[at]));
  if (!isObject(read) || !isObject(said)) return read;
  const known = Object.entries(read).map(([name, value]) => [name, withRest(value, said[name])]);
  return { ...said, ...Object.fromEntries(known) };
}

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);
