import type { WaitView } from "../../components/lists/waits.tsx";
import type { OrderWait } from "../../modules/reports/order-wait.ts";

/** A cause for which an order waits, as the pages show it. */
export const presentWait = (wait: OrderWait): WaitView => ({
  kind: wait.kind,
  since: wait.since.toISOString(),
  remindedAt: (wait.kind === "details" && wait.remindedAt?.toISOString()) || null,
});
