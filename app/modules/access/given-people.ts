import type { MedicareCard, Patient } from "../patients/patient.ts";
import { isSamePerson } from "../patients/person-name.ts";
import { findOwned } from "./find-owned.ts";
import { logAccess, visitOf } from "./log-access.ts";
import type { Ports } from "./ports.ts";
import type { Tenant } from "./tenant.ts";
import { isOwner, type Viewer, type ViewerScope } from "./viewer.ts";

/** The details of one person that the viewer gave for another test of the same order. */
interface GivenPerson {
  /** The request that they were given for. */
  id: string;
  patient: Patient;
  medicare: MedicareCard | null;
}

type Target = ViewerScope & { requestId: string };

/** So many looks and savings of an order are read, the newest: more than most orders have. */
const MAX_ENTRIES = 1000;

/** The people whose details the viewer gave for other tests of this order, each once, to choose one of. */
export async function nameGivenPeople(
  { tenancy }: Pick<Ports, "tenancy">,
  { shop, viewer, requestId }: Target,
): Promise<{ id: string; person: Pick<Patient, "firstName" | "lastName" | "dob"> }[]> {
  const all = await tenancy.inShop(shop, (tenant) => givenPeople(tenant, viewer, requestId));
  return all.map(({ id, patient: { firstName, lastName, dob } }) => ({
    id,
    person: { firstName, lastName, dob },
  }));
}

/** The details of one of them, by the request that they were given for; null for what the viewer did not give. */
export async function findGivenPerson(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  { shop, viewer, requestId, from }: Target & { from: string },
): Promise<Omit<GivenPerson, "id"> | null> {
  return tenancy.inShop(shop, async (tenant) => {
    const all = await givenPeople(tenant, viewer, requestId);
    const found = all.find(({ id }) => id === from);
    if (!found) return null;
    await logAccess(tenant, viewer, { what: "details_viewed", requestId: from, at: clock.now() });
    return found;
  });
}

/**
 * A link shows again only what was typed on the visit that it opened: the test may have been ordered since, and its details are
 * closed to a link then, also to another one of the same order (docs/decisions/0180).
 */
async function givenPeople(
  tenant: Tenant,
  viewer: Viewer,
  requestId: string,
): Promise<GivenPerson[]> {
  if (viewer.kind === "patient") return [];
  const asked = await findOwned(tenant, { viewer, requestId, opening: "details" });
  if (!asked) return [];
  const others = (await tenant.requests.forOrder(asked.orderId)).filter(
    (one) =>
      one.id !== requestId && one.hasPatient && one.state !== "cancelled" && isOwner(one, viewer),
  );
  const ids = others.map(({ id }) => id);
  if (ids.length === 0) return [];
  const entries = await tenant.accessLog.forRequests(ids, MAX_ENTRIES, ["customer", "link"]);
  const visit = visitOf(viewer);
  // The details of a test are known to whoever saved them last.
  const latest = new Map(
    entries
      .filter(({ what }) => what === "details_saved")
      .toReversed()
      .map((one) => [one.requestId, one]),
  );
  const own = ids.filter((id) => {
    const saving = latest.get(id);
    return saving?.who === visit.who && saving.subjectId === (visit.subjectId ?? null);
  });
  const given = await tenant.requests.patientsOf(own);
  const people: GivenPerson[] = [];
  for (const id of own) {
    const details = given.get(id);
    if (!details) continue;
    const { patient, medicare } = details;
    if (!people.some((one) => isSamePerson(one.patient, patient)))
      people.push({ id, patient, medicare });
  }
  return people;
}
