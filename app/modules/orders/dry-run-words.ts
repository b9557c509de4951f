import type { RequestState } from "../referrals/request.ts";
import type { DryRunOutcome } from "./dry-run-order.ts";

type Obstacle = Extract<DryRunOutcome, { kind: "planned" }>["obstacles"][number];

/** Why nothing of an order would be sent as things stand. */
export const OBSTACLES: Record<Obstacle, string> = {
  not_paid: "The order isn’t paid, so nothing would be ordered yet.",
  paid_in_part:
    "Part of the order isn’t paid for, so nothing more would be ordered before the rest is paid. The order would be listed under Needs attention.",
  cancelled: "The order is cancelled, so nothing would be ordered.",
  erased: "The buyer’s data was erased, so nothing more is done about this order.",
  backdated:
    "The order was placed long before it came into Shopify, or before the shop had Pathway, or was marked as handled while Shopify didn’t show it, so nothing would be ordered before you import it by its number.",
  other_name:
    "The order’s tests were ordered while your store had another .myshopify.com name, so nothing would be ordered again.",
  not_a_test_then:
    "Part of the order was sold while its product was marked “Not a test”, so that part would not be ordered before you import the order by its number.",
  money_back:
    "All the money was given back, or its payment was voided, so nothing more would be ordered before you import the order by its number.",
  high_risk:
    "Shopify assesses the order as high-risk, so its tests would be held until somebody releases them.",
  risk_pending:
    "Shopify has not finished assessing the order’s risk, so its tests would be held until it has.",
  no_connection: "Pathway isn’t connected to this environment, so the order would wait.",
};

/** Describes what would happen to a unit, by the state of its request; null for a unit that would be opened. */
export function describeUnit(state: RequestState | null): string {
  switch (state) {
    case null:
      return "Would be opened, and sent once the patient’s details are in";
    case "awaiting_details":
      return "Waits for the patient’s details; this would be sent then";
    case "held":
      return "Held for review; this would be sent once it’s released";
    case "ready":
      return "About to be sent";
    case "sending":
      return "Being sent";
    case "ambiguous":
      return "Sent, and being checked: nothing would be sent now";
    case "rejected":
      return "Was refused; this would be sent on a retry";
    case "created":
      return "Ordered already: nothing would be sent again";
    case "cancelled":
      return "Cancelled: nothing would be sent";
  }
}
