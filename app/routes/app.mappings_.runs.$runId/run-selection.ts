import { z } from "zod";
import { BATCH_OUTCOMES } from "../../modules/kernel/batch.ts";
import { uuidSchema } from "../../modules/kernel/ids.ts";

const runId = uuidSchema;
const selectionSchema = z.object({
  outcome: z
    .enum([...BATCH_OUTCOMES, "waiting"])
    .optional()
    .catch(undefined),
  after: z.coerce.number().int().min(0).max(1_000_000).catch(0),
});

export type RunSelection = z.infer<typeof selectionSchema>;

/** The run that an address names, or null. */
export const readRunId = (text: string | undefined) => runId.safeParse(text).data ?? null;

export function readRunSelection(query: URLSearchParams): RunSelection {
  return selectionSchema.parse(Object.fromEntries(query));
}
