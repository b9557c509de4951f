import { useFetcher } from "@remix-run/react";
import { useEffect, useState } from "react";
import type { BulkAction } from "../../domain/bulk/bulk-run.ts";

export interface Bulk {
  /** The run to show, or null. */
  runId: string | null;
  isStarting: boolean;
  /** Starts an action on named orders (their numbers), or on every order of a selection. */
  start(action: BulkAction, target: { orders: string[] } | { selection: string }): void;
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
      const which: Record<string, string> =
        "orders" in target ? { orders: target.orders.join(",") } : { selection: target.selection };
      fetcher.submit(
        { intent: "bulk", action, ...which },
        { method: "post", action: "/app/referrals" },
      );
    },
    close: () => setRunId(null),
  };
}
