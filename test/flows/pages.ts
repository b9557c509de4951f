import type { StoreOrder, TestWorld } from "../harness/index.ts";

/** Where the app shows an order to staff. */
export const orderPage = ({ id }: Pick<StoreOrder, "id">) =>
  `/app/orders/${id.slice(id.lastIndexOf("/") + 1)}`;

/** Saves the shop's policies: the defaults, with what is given. */
export function savePolicies(
  { pages }: TestWorld,
  policies: { refundPolicy?: "automatic" | "ask"; releasePolicy?: string } = {},
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
