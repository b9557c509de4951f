import { useFetcher } from "@remix-run/react";
import { useEffect, useState } from "react";
import type { Cost } from "../../modules/catalogue/cost.ts";
import type { Question } from "../../modules/kernel/words.ts";
import type { BulkAction } from "../../modules/reports/bulk-action.ts";
import { appBridge } from "../document/app-bridge.ts";
import type { FormAnswer } from "../form/form-answer.ts";
import { useAnswer } from "../form/use-answer.ts";

type BulkChoice =
  | { orders: string[]; seen: Record<string, Record<string, string>> }
  | { items: { order: string; reason: string; seen: string }[] }
  | { selection: string };

type Costs = readonly (Cost | null)[];

/** The dialogue of `BulkQuestion`. */
export const BULK_MODAL = "bulk-question";

export interface Bulk {
  /** The run to show, or null. */
  runId: string | null;
  isStarting: boolean;
  /** The question before an action that costs money, in `BulkQuestion`; null while none waits for its answer. */
  question: Question | null;
  /**
   * Starts an action on named orders (their numbers), on items of the inbox, or on every order of a selection. One that costs
   * money waits for `confirm`. `costs`: what each of its tests costs, as far as the page knows them all.
   */
  start(action: BulkAction, target: BulkChoice, given?: { costs?: Costs; onStart?(): void }): void;
  confirm(): void;
  /** Takes back what a run did; its own progress is shown then. */
  undo(runId: string): void;
  close(): void;
}

/** Bulk actions of a list of orders; `latest` is what a reload finds under way. */
export function useBulk(latest: { id: string; isDone: boolean } | null): Bulk {
  const fetcher = useFetcher<FormAnswer & { runId?: string }>();
  useAnswer(fetcher, "bulk");
  const [asked, setAsked] = useState<{ question: Question; go(): void } | null>(null);
  const [runId, setRunId] = useState(latest && !latest.isDone ? latest.id : null);
  // Once its words are drawn.
  useEffect(() => {
    // Cannot fail: `BulkQuestion` has drawn the dialogue before anything can be asked.
    if (asked) void appBridge()?.modal.show(BULK_MODAL);
  }, [asked]);
  const started = fetcher.data?.runId;
  useEffect(() => {
    if (started) setRunId(started);
  }, [started]);
  return {
    runId,
    isStarting: fetcher.state !== "idle",
    question: asked?.question ?? null,
    start(action, target, { costs, onStart } = {}) {
      const go = () => {
        fetcher.submit(
          { intent: "bulk", action, ...fieldsOf(target) },
          { method: "post", action: "/app/referrals" },
        );
        onStart?.();
      };
      // Its words are fetched when somebody acts: no list needs them before.
      void import("../../modules/reports/question-words.ts").then(({ askOfMany }) => {
        const question = askOfMany(action, countOfOrders(target), costs);
        if (question) setAsked({ question, go });
        else go();
      });
    },
    confirm: () => asked?.go(),
    undo: (runId) =>
      fetcher.submit({ intent: "undo-run", runId }, { method: "post", action: "/app/referrals" }),
    close: () => setRunId(null),
  };
}

/** How many orders; null for every order of a selection, which nobody has counted. */
function countOfOrders(target: BulkChoice): number | null {
  if ("orders" in target) return target.orders.length;
  return "items" in target ? new Set(target.items.map(({ order }) => order)).size : null;
}

function fieldsOf(target: BulkChoice): Record<string, string> {
  if ("orders" in target)
    return { orders: target.orders.join(","), seen: JSON.stringify(target.seen) };
  if ("items" in target) return { items: JSON.stringify(target.items) };
  return target;
}
