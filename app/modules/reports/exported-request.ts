import type { Stage } from "../referrals/stage.ts";
import type { OrderMode } from "./order-selection.ts";
import type { OrderCustomer } from "./order-summary.ts";

/** A row of the export: ids, dates and states, who bought and what, as the store told. Nothing of a patient or clinical. */
export interface ExportedRequest {
  orderName: string;
  orderId: string;
  orderMode: OrderMode;
  paidAt: Date;
  cancelledAt: Date | null;
  customer: OrderCustomer | null;
  isErased: boolean;
  /** What this test is sold as; of an order without tests, everything that was bought. */
  product: string;
  unit: number | null;
  generation: number | null;
  referenceNumber: string | null;
  /** Where its test stands; of an order without tests, whether it needs somebody. */
  stage: Stage | null;
  state: string | null;
  /** It was ordered again as a whole: the row of its replacement tells where the test stands. */
  isReplaced: boolean;
  /** The data of its test was destroyed, and it needs nobody. */
  isTestErased: boolean;
  references: string[];
}
