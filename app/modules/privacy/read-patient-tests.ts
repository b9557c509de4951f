import { ALONE, whoseTests } from "../access/whose-test.ts";
import type { OrderId, ShopDomain } from "../kernel/ids.ts";
import type { UnitOwner } from "../patients/unit-owner.ts";
import { dataVersion, type ErasureEffect, effectOn } from "./data-version.ts";
import type { Ports } from "./ports.ts";

/** One test as whoever answers a patient's request sees it: which it is, never whose. */
export interface PatientTest {
  id: string;
  title: string;
  unit: { number: number; of: number };
  owner: UnitOwner;
  /** Whether there is anything to take or delete. */
  hasDetails: boolean;
  effect: ErasureEffect;
  /** Another text once it is about somebody else, or deleting it does something else (`dataVersion`). */
  version: string;
}

/** The tests of an order, for the member of staff whom a patient asks to have or delete their data; null without the order. */
export async function readPatientTests(
  { tenancy }: Pick<Ports, "tenancy">,
  { shop, orderId }: { shop: ShopDomain; orderId: OrderId },
): Promise<{ orderName: string; tests: PatientTest[] } | null> {
  return tenancy.inShop(shop, async (tenant) => {
    const orderName = (await tenant.orders.namesOf([orderId])).get(orderId);
    if (orderName === undefined) return null;
    const requests = await tenant.requests.forOrder(orderId);
    const whose = await whoseTests(tenant, requests);
    const tests: PatientTest[] = [];
    for (const request of requests) {
      const { id, title, owner, hasPatient } = request;
      const unit = whose.get(id)?.inOrder ?? ALONE;
      const effect = await effectOn(tenant, request);
      const version = dataVersion(request, effect);
      tests.push({ id, title, unit, owner, hasDetails: hasPatient, effect, version });
    }
    return { orderName, tests };
  });
}
