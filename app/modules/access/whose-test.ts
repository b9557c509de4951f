import type { Patient } from "../patients/patient.ts";
import { nameAmong } from "../patients/person-name.ts";
import type { ReferralRequest } from "../referrals/request.ts";
import type { OrderUnit } from "../referrals/request-repository.ts";
import type { Tenant } from "./tenant.ts";

/** The number of a test among those with the same title in an order, counted as the order lists them. */
export interface UnitNumber {
  number: number;
  of: number;
}

/** The person of a test, and the test's number among several. Both tell two cards with one title apart. */
export interface WhoseTest {
  /** First name and initial, more of it where one buyer has namesakes in the order; null before the details are given. */
  patientName: string | null;
  unit: UnitNumber;
}

/** Of a test that is gone. */
export const NOBODY: WhoseTest = { patientName: null, unit: { number: 1, of: 1 } };

/** Returns for each request, by its id, whose test it is. The caller decides who may read the patient's name. */
export async function whoseTests(
  tenant: Tenant,
  requests: readonly ReferralRequest[],
): Promise<Map<string, WhoseTest>> {
  const units = await tenant.requests.unitsOf([...new Set(requests.map((one) => one.orderId))]);
  const all = await withTheirOrders(tenant, requests, units);
  const known = all.filter(({ hasPatient }) => hasPatient);
  const patients = await tenant.requests.patientsOf(known.map(({ id }) => id));
  const besides = (request: ReferralRequest): Patient[] =>
    known.flatMap((one) => {
      const patient = isHeldTogether(one, request) && patients.get(one.id)?.patient;
      return patient ? [patient] : [];
    });
  return new Map(
    requests.map((request) => {
      const { id, orderId, lineItemId, unit } = request;
      const isSame = (one: (typeof units)[number]) =>
        one.lineItemId === lineItemId && one.unit === unit;
      const own = units.find((one) => one.orderId === orderId && isSame(one));
      const alike = units.filter((one) => one.orderId === orderId && one.title === own?.title);
      const patient = patients.get(id)?.patient;
      return [
        id,
        {
          patientName: patient ? nameAmong(patient, besides(request)) : null,
          unit: { number: alike.findIndex(isSame) + 1, of: alike.length },
        },
      ];
    }),
  );
}

/** Units that one buyer holds in an order. An invited patient's is nobody else's business, and theirs is not told of others. */
const isHeldTogether = (one: ReferralRequest, other: ReferralRequest): boolean =>
  one.owner === "buyer" && other.owner === "buyer" && one.orderId === other.orderId;

/** These requests, with the others of an order that is not whole among them: a mail is about one of several. */
async function withTheirOrders(
  tenant: Tenant,
  requests: readonly ReferralRequest[],
  units: readonly OrderUnit[],
): Promise<ReferralRequest[]> {
  const found = new Map(requests.map((request) => [request.id, request]));
  const orders = Map.groupBy(requests, ({ orderId }) => orderId);
  for (const [orderId, own] of orders) {
    const isNamed = own.some(({ owner, hasPatient }) => owner === "buyer" && hasPatient);
    const here = new Set(own.map(({ lineItemId, unit }) => `${lineItemId} ${unit}`));
    if (!isNamed || here.size === units.filter((one) => one.orderId === orderId).length) continue;
    for (const one of await tenant.requests.forOrder(orderId)) found.set(one.id, one);
  }
  return [...found.values()];
}
