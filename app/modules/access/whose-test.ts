import { nameAndInitial } from "../patients/person-name.ts";
import type { ReferralRequest } from "../referrals/request.ts";
import type { Tenant } from "./tenant.ts";

/** The number of a test among those with the same title in an order, counted as the order lists them. */
export interface UnitNumber {
  number: number;
  of: number;
}

/** The person of a test, and the test's number among several. Both tell two cards with one title apart. */
export interface WhoseTest {
  /** First name and initial; null before the details are given. */
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
  const known = requests.filter(({ hasPatient }) => hasPatient).map(({ id }) => id);
  const patients = await tenant.requests.patientsOf(known);
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
          patientName: patient ? nameAndInitial(patient) : null,
          unit: { number: alike.findIndex(isSame) + 1, of: alike.length },
        },
      ];
    }),
  );
}
