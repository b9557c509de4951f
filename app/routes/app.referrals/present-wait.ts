import type { WaitView } from "../../components/lists/waits.tsx";
import type { OrderWait } from "../../modules/reports/order-wait.ts";

/** What an order waits for, as the pages show it. */
export const presentWait = (wait: OrderWait): WaitView => ({
  kind: wait.kind,
  since: wait.since.toISOString(),
  remindedAt: (wait.kind === "details" && wait.remindedAt?.toISOString()) || null,
});
