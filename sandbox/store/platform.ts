import type { Clock } from "./clock.ts";
import type { AppConfig } from "./config/app-config.ts";
import type { Faults } from "./faults.ts";
import type { ProtectedDataApproval } from "./graphql/protected-data.ts";
import type { Tables } from "./state/tables.ts";
import type { WebhookQueue } from "./webhooks/queue.ts";

export interface FlowTriggered {
  shop: string;
  handle: string;
  payload: Record<string, unknown>;
  at: string;
}

/** Everything that the parts of the store share. */
export interface Platform {
  readonly config: AppConfig;
  readonly data: Tables;
  readonly clock: Clock;
  readonly faults: Faults;
  readonly webhooks: WebhookQueue;
  /** The app's approval for customer data; changed through the control interface. */
  approval: ProtectedDataApproval;
  /** The app's triggers of Shopify Flow, in their order; they live as long as the process. */
  readonly flowTriggered: FlowTriggered[];
  /** Where the app runs, without a slash at the end; null until it is known. */
  appUrl: string | null;
  /** Origin under which the store is reached; known once it listens. */
  origin: string;
  /** One line on standard error. Never payloads, names or addresses. */
  log(line: string): void;
}
