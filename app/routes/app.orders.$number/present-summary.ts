import { gidNumber } from "../../modules/kernel/ids.ts";
import type { ReferralRequest } from "../../modules/referrals/request.ts";
import type { StatusWords } from "../../modules/referrals/status-words.ts";
import { CUSTOMER_ERASED } from "../../modules/reports/order-words.ts";
import type { OrderOverview } from "../../modules/reports/read-order.ts";

const ERASED_ABOUT =
  "Details, form and results are deleted. What the laboratory still reports isn’t stored.";
/** Whose test it is decides over it: erasing the buyer leaves an invited patient's. */
const PATIENTS_STAY =
  "Everything of the customer’s is deleted. The tests of invited patients stay theirs.";

/** Who bought, as Shopify's order names them, and where to see them there. */
export function presentCustomer({
  customer,
  isErased,
  requests,
}: Pick<OrderOverview, "customer" | "isErased"> & {
  requests: readonly { request: Pick<ReferralRequest, "owner"> }[];
}) {
  if (isErased) {
    const isPatients = requests.some(({ request }) => request.owner === "patient");
    return { name: CUSTOMER_ERASED, about: isPatients ? PATIENTS_STAY : ERASED_ABOUT, url: null };
  }
  if (!customer)
    return {
      name: "No customer",
      about: "The order in Shopify names nobody. Add a customer there, with an email address.",
      url: null,
    };
  const { id, name, email } = customer;
  return {
    name: name ?? email ?? "",
    about: name ? (email ?? "No email address. Add one to the order in Shopify.") : null,
    url: id && `shopify://admin/customers/${gidNumber(id)}`,
  };
}

type Stage = Pick<StatusWords, "name" | "tone">;

interface Line {
  id: string;
  title: string;
  requests: readonly (Stage & { unit: number; isReplaced: boolean })[];
}

/**
 * How many units of each product stand where. A unit that was ordered again as a whole counts as its replacement, and two parts
 * that stand at the same are one unit.
 */
export function summarise(lines: Line[]) {
  return lines
    .map(({ id, title, requests }) => {
      const stages = new Map<string, Stage & { units: Set<number> }>();
      for (const { name, tone, unit, isReplaced } of requests) {
        if (isReplaced) continue;
        const known = stages.get(name) ?? { name, tone, units: new Set() };
        stages.set(name, { ...known, units: known.units.add(unit) });
      }
      return {
        ...{ id, title },
        stages: [...stages.values()].map(({ units, ...stage }) => ({
          ...stage,
          count: units.size,
        })),
      };
    })
    .filter(({ stages }) => stages.length > 0);
}
