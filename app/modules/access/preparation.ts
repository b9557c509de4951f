import type { CustomerState } from "../referrals/customer-view.ts";
import type { OrderedUnit } from "../referrals/mapping-facts.ts";
import type { ReferralRequest } from "../referrals/request.ts";
import { ENVIRONMENTS } from "../shops/connection.ts";
import type { CollectionFinder } from "../shops/shop.ts";
import type { Access } from "./link-access.ts";
import type { Tenant } from "./tenant.ts";

/** How a test's patient prepares for the collection. */
export type Preparation =
  /** There are steps, which are shown beside the form. */
  | { when: "later" }
  /**
   * The form is there. Steps are null where the shop names none, and so is the finder of collection centres; what to bring
   * is said all the same.
   */
  | { when: "now"; steps: string | null; finder: CollectionFinder | null };

interface Place {
  state: CustomerState;
  parts: readonly { state: CustomerState }[];
}

const hasForm = ({ state, parts }: Place): boolean =>
  state === "form_ready" || parts.some((part) => part.state === "form_ready");

/** Whether a sample is still to be taken, so that preparing is of use. */
export const isBeforeCollection = (place: Place): boolean =>
  hasForm(place) || place.state === "awaiting_details" || place.state === "being_prepared";

/** The preparation as it is told now; null when there is nothing to tell, or nothing any more. */
export function preparationOf(
  place: Place & { access: { form: Access } },
  { steps, finder }: { steps: string | null; finder: CollectionFinder | null },
): Preparation | null {
  if (!isBeforeCollection(place)) return null;
  if (hasForm(place) && place.access.form === "granted") return { when: "now", steps, finder };
  return steps === null ? null : { when: "later" };
}

/** The steps of requests, by their ids, as the merchant has them for what each of them orders. */
export async function preparationSteps(
  tenant: Tenant,
  requests: readonly ReferralRequest[],
): Promise<Map<string, string>> {
  const steps = new Map<string, string>();
  for (const environment of ENVIRONMENTS) {
    const own = requests.filter((request) => request.environment === environment);
    const units = await unitsOf(tenant, own);
    const texts = await tenant.mappings.textsOf(environment, units);
    for (const [index, { requestId }] of units.entries()) {
      const preparation = texts[index]?.preparation;
      if (preparation) steps.set(requestId, preparation);
    }
  }
  return steps;
}

async function unitsOf(tenant: Tenant, requests: readonly ReferralRequest[]) {
  const units: ({ requestId: string } & OrderedUnit)[] = [];
  for (const [orderId, own] of Map.groupBy(requests, (request) => request.orderId)) {
    const lines = await tenant.orders.variantsOf(orderId);
    for (const { id: requestId, lineItemId, items } of own) {
      const sold = lines.get(lineItemId);
      if (sold) units.push({ requestId, sold, items });
    }
  }
  return units;
}
