import { useFetcher } from "@remix-run/react";
import { useEffect, useState } from "react";
import type { BulkAction } from "../../modules/reports/bulk-action.ts";

type BulkChoice =
  | { orders: string[] }
  | { items: { order: string; reason: string }[] }
  | { selection: string };

export interface Bulk {
  /** The run to show, or null. */
  runId: string | null;
  isStarting: boolean;
  /** Starts an action on named orders (their numbers), on items of the inbox, or on every order of a selection. */
  start(action: BulkAction, target: BulkChoice): void;
  close(): void;
}

/** Bulk actions of a list of orders; `latest` is what a reload finds under way. */
export function useBulk(latest: { id: string; isDone: boolean } | null): Bulk {
  const fetcher = useFetcher<{ form: string; runId?: string }>();
  const [runId, setRunId] = useState(latest && !latest.isDone ? latest.id : null);
  const started = fetcher.data?.runId;
  useEffect(() => {
    if (started) setRunId(started);
  }, [started]);
  return {
    runId,
    isStarting: fetcher.state !== "idle",
    start(action, target) {
      fetcher.submit(
        { intent: "bulk", action, ...fieldsOf(target) },
        { method: "post", action: "/app/referrals" },
      );
    },
    close: () => setRunId(null),
  };
}

function fieldsOf(target: BulkChoice): Record<string, string> {
  if ("orders" in target) return { orders: target.orders.join(",") };
  if ("items" in target) return { items: JSON.stringify(target.items) };
  return target;
}
