import type { StoreOrder, TestWorld } from "./index.ts";

/** Where the app shows an order to staff. */
export const orderPage = ({ id }: Pick<StoreOrder, "id">) =>
  `/app/orders/${id.slice(id.lastIndexOf("/") + 1)}`;

/** Of the shop's policies, those that tests change. */
export interface Policies {
  refundPolicy?: "automatic" | "ask";
  releasePolicy?: string;
  /** Ticked or left out, as in the form. */
  holdOrders?: "true";
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
    ...policies,
  });
}
