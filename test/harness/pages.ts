import { REVIEWER } from "../../sandbox/world/journey/set-up.ts";
import type { StoreOrder, TestWorld } from "./index.ts";

/** Where the app shows an order to staff. */
export const orderPage = ({ id }: Pick<StoreOrder, "id">) =>
  `/app/orders/${id.slice(id.lastIndexOf("/") + 1)}`;

/** The shop's policies that tests change. */
export interface Policies {
  refundPolicy?: "automatic" | "ask";
  releasePolicy?: string;
  releaseAfterHours?: string;
  contactName?: string;
  contactPhone?: string;
  /** Left out, it stays; empty, it is taken away. */
  finderName?: string;
  finderUrl?: string;
  /** Ticked or left out, as in the form. */
  holdOrders?: "true";
  highRiskOrders?: "hold" | "order";
  tagOrders?: "true";
  markFulfilled?: "true";
  startFlows?: "true";
  strictMode?: "true";
}

/** Saves the shop's policies: the defaults, with what is given. */
export function savePolicies(
  { pages }: Pick<TestWorld, "pages">,
  policies: Policies = {},
): Promise<string> {
  return pages.submit("/app/settings", {
    intent: "save-policies",
    environment: "staging",
    minimumAge: "18",
    releasePolicy: "automatic",
    refundPolicy: "automatic",
    // Nothing is held without somebody who reads it.
    ...REVIEWER,
    ...policies,
  });
}

/** Releases the held results of a request as the reviewer does. */
export const releaseResults = (
  { pages }: Pick<TestWorld, "pages">,
  order: Pick<StoreOrder, "id">,
  requestId: string,
): Promise<string> =>
  pages.submit(`${orderPage(order)}/requests/${requestId}/results`, {
    intent: "release-results",
    name: REVIEWER.reviewerName,
    contacted: "true",
  });
