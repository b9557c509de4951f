import type { Patient } from "../patients/patient.ts";
import { nameAmong } from "../patients/person-name.ts";
import type { ReferralRequest } from "../referrals/request.ts";
import type { InvitedUnit, OrderUnit, UnitOfAccount } from "../referrals/request-repository.ts";
import { numberAlike, numberUnits, type UnitNumber } from "../referrals/unit-number.ts";
import type { Tenant } from "./tenant.ts";

/** The number of a test as its reader is told it; `of` is null where the reader is not told how many the order has. */
export interface ToldNumber {
  number: number;
  of: number | null;
}

/** The person of a test, its number in its order, and its replacement's. They tell two cards with one title apart. */
export interface WhoseTest {
  /** First name and initial, more of it where one buyer has namesakes beside them; null before the details are given. */
  patientName: string | null;
  /** For its owner: a patient who did not buy the order is not told how many tests it has. */
  unit: ToldNumber;
  /** How often the unit was ordered again before: a first order is 0. */
  replacement: number;
}

/** A test with the numbers that not everybody is told. */
export interface NumberedTest extends WhoseTest {
  /** As its buyer and staff know it, whoever owns the test. */
  inOrder: UnitNumber;
  /** The same among the tests of the order with this title. */
  alike: UnitNumber;
}

/** The number for those who are told of one test and of no others. */
export const ALONE: UnitNumber = { number: 1, of: 1 };

/** Of a test that is gone. */
export const NOBODY: NumberedTest = {
  patientName: null,
  unit: ALONE,
  inOrder: ALONE,
  alike: ALONE,
  replacement: 0,
};

/** The tests among which a person's name is to be told apart: those of the order, or all that the buyer's account holds. */
type Among = "order" | "account";

/**
 * Returns for each request, by its id, whose test it is. The caller decides who may read the patient's name. Where orders stand
 * side by side, as in the account, people are told apart across them; an email names its order, and says no more.
 */
export async function whoseTests(
  tenant: Tenant,
  requests: readonly ReferralRequest[],
  among: Among = "order",
): Promise<Map<string, NumberedTest>> {
  const units = await tenant.requests.unitsOf([...new Set(requests.map((one) => one.orderId))]);
  const all = await (among === "order"
    ? withTheirOrders(tenant, requests, units)
    : withTheirAccounts(tenant, requests));
  const known = all.filter(({ hasPatient }) => hasPatient);
  const patients = await tenant.requests.patientsOf(known.map(({ id }) => id));
  const besides = (request: UnitOfAccount): Patient[] =>
    known.flatMap((one) => {
      const patient = isHeldTogether(one, request, among) && patients.get(one.id)?.patient;
      return patient ? [patient] : [];
    });
  const isOneOfSeveral = await patientsOfSeveral(tenant, requests);
  const numberOf = numberUnits(units);
  const numberOfAlike = numberAlike(units);
  return new Map(
    requests.map((request) => {
      const { id, owner } = request;
      const inOrder = numberOf(request);
      const toPatient = isOneOfSeveral(request) ? { number: inOrder.number, of: null } : ALONE;
      const patient = patients.get(id)?.patient;
      return [
        id,
        {
          patientName: patient ? nameAmong(patient, besides(request)) : null,
          unit: owner === "buyer" ? inOrder : toPatient,
          inOrder,
          alike: numberOfAlike(request),
          replacement: request.generation - 1,
        },
      ];
    }),
  );
}

/**
 * Whether an invited patient holds a test beside others of its order. Each of these tests has links and emails of its own, which
 * their number alone tells apart (docs/decisions/0188).
 */
async function patientsOfSeveral(
  tenant: Tenant,
  requests: readonly ReferralRequest[],
): Promise<(request: ReferralRequest) => boolean> {
  const theirs = requests.filter(({ owner }) => owner === "patient");
  if (theirs.length === 0) return () => false;
  const invited = await tenant.requests.invitedOf([...new Set(theirs.map((one) => one.orderId))]);
  const unitOf = ({ orderId, lineItemId, unit }: InvitedUnit | ReferralRequest) =>
    `${orderId} ${lineItemId} ${unit}`;
  const alike = Map.groupBy(
    invited,
    ({ orderId, email }) => `${orderId} ${tenant.links.recipientOf(email).toString("hex")}`,
  );
  const several = [...alike.values()]
    .map((own) => new Set(own.map(unitOf)))
    .filter((own) => own.size > 1);
  return (request) => several.some((own) => own.has(unitOf(request)));
}

/** Units that one buyer holds. An invited patient's is nobody else's business, and theirs is not told of others. */
const isHeldTogether = (one: UnitOfAccount, other: UnitOfAccount, among: Among): boolean =>
  one.owner === "buyer" &&
  other.owner === "buyer" &&
  (one.orderId === other.orderId ||
    (among === "account" && one.customerId !== null && one.customerId === other.customerId));

/** So many tests of an account are compared, the newest: more than most will ever have. */
const COMPARED = 200;

/** These requests, with the others of their buyers' accounts; of a buyer without one, the others of the order. */
async function withTheirAccounts(
  tenant: Tenant,
  requests: readonly ReferralRequest[],
): Promise<UnitOfAccount[]> {
  const found = new Map<string, UnitOfAccount>(requests.map((request) => [request.id, request]));
  const named = requests.filter(({ owner, hasPatient }) => owner === "buyer" && hasPatient);
  for (const customerId of new Set(named.map((one) => one.customerId)))
    if (customerId)
      for (const one of await tenant.requests.namedOfAccount(customerId, COMPARED))
        found.set(one.id, one);
  for (const orderId of new Set(named.flatMap((one) => (one.customerId ? [] : [one.orderId]))))
    for (const one of await tenant.requests.forOrder(orderId)) found.set(one.id, one);
  return [...found.values()];
}

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
