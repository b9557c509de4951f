import type { Catalogue } from "../../modules/catalogue/catalogue.ts";
import { describeStep } from "../../modules/catalogue/history-words.ts";
import type { MappingHistory } from "../../modules/catalogue/read-history.ts";

export type HistoryView = ReturnType<typeof presentHistory>;

/** The changes of a mapping, in words. */
export function presentHistory({ steps, hasMore }: MappingHistory, catalogue: Catalogue | null) {
  return {
    hasMore,
    steps: steps.map((step) => ({
      ...describeStep(step, catalogue),
      // One save can change the variant's own mapping and its product's.
      id: `${step.changeId} ${step.isWholeProduct}`,
      at: step.at.toISOString(),
    })),
  };
}
