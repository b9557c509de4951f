import type { Stage } from "../referrals/stage.ts";
import type { OrderMode } from "./order-selection.ts";

/** A row of the export: ids, dates and states. Nobody's name and nothing clinical. */
export interface ExportedRequest {
  orderName: string;
  orderId: string;
  orderMode: OrderMode;
  paidAt: Date;
  cancelledAt: Date | null;
  unit: number | null;
  generation: number | null;
  referenceNumber: string | null;
  stage: Stage | null;
  state: string | null;
  references: string[];
}
