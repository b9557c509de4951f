import { randomUUID } from "node:crypto";
import { unlessDamaged } from "../../platform/unless-damaged.ts";
import type { NewAccessEntry } from "../kernel/access-log.ts";
import type { CustomerId } from "../kernel/ids.ts";
import type { MedicareCard, Patient } from "../patients/patient.ts";
import type { FieldError } from "../patients/patient-details.ts";
import { isSamePerson } from "../patients/person-name.ts";
import {
  MAX_SAVED_PATIENTS,
  readSavedDetails,
  type SavedPatient,
} from "../patients/saved-patient.ts";
import type { ReferralRequest } from "../referrals/request.ts";
import type { Ports } from "./ports.ts";
import type { Tenant } from "./tenant.ts";
import type { Viewer, ViewerScope } from "./viewer.ts";

export type SavePatientOutcome =
  | { kind: "saved"; saved: SavedPatient }
  | { kind: "invalid"; errors: FieldError[] }
  /** No account, or the id is another customer's. */
  | { kind: "not_found" }
  /** The customer keeps as many people as they can. */
  | { kind: "too_many" };

/** More would be hard to read. */
const MAX_ACCESSES = 500;

type Target = ViewerScope & { id: string };
type SavedPorts = Pick<Ports, "tenancy" | "clock">;

/**
 * The account whose saved patients a viewer sees: only a signed-in customer has any. It is the one that is left when the
 * store merged the customer into another.
 */
export async function accountOfViewer(tenant: Tenant, viewer: Viewer): Promise<CustomerId | null> {
  return viewer.kind === "customer" ? tenant.customers.survivorOf(viewer.customerId) : null;
}

/** The people whose details this customer keeps, first saved first; null for whoever has no account. */
export async function listSavedPatients(
  { tenancy, clock }: SavedPorts,
  { shop, viewer }: ViewerScope,
): Promise<SavedPatient[] | null> {
  return tenancy.inShop(shop, async (tenant) => {
    const account = await accountOfViewer(tenant, viewer);
    if (!account) return null;
    const all = await tenant.savedPatients.of(account);
    await logSaved(tenant, all, {
      who: "customer",
      what: "saved_patient_viewed",
      at: clock.now(),
    });
    return all;
  });
}

/** Kept details of people, as somebody takes them along. */
export interface TakenCopies {
  savedPatients: object[];
  /** How many more there are whose details a damaged key hides. */
  unread: number;
}

/** The same for whoever takes everything with them, each with who opened it; none without an account. */
export async function takeSavedPatients(
  tenant: Tenant,
  viewer: Viewer,
  at: Date,
): Promise<TakenCopies> {
  const account = await accountOfViewer(tenant, viewer);
  if (!account) return { savedPatients: [], unread: 0 };
  const all = await tenant.savedPatients.of(account);
  const unread = (await tenant.savedPatients.idsOf(account)).length - all.length;
  return { savedPatients: await takeCopies(tenant, all, { who: "customer", at }), unread };
}

/** These with who opened them, as somebody takes them along. */
export async function takeCopies(
  tenant: Tenant,
  all: SavedPatient[],
  by: Pick<NewAccessEntry, "who" | "actor" | "at">,
): Promise<object[]> {
  await logSaved(tenant, all, { ...by, what: "saved_patient_viewed" });
  const accesses = await tenant.accessLog.forSavedPatients(
    all.map(({ id }) => id),
    MAX_ACCESSES,
  );
  return all.map(({ id, patient, medicare }) => ({
    details: patient,
    medicare,
    accesses: accesses
      .filter(({ subjectId }) => subjectId === id)
      .map(({ at: when, who, what }) => ({ at: when, who, what })),
  }));
}

/**
 * What the buyer of a test keeps of the person whose test it is: it is that person's data, in whatever account it lies. One
 * person has one name and date of birth. `unmatched`: of how many people nobody can tell whether they are this one, because a key
 * is damaged: theirs, or that of the test's own details.
 */
export async function savedCopiesOf(
  tenant: Tenant,
  { id, customerId }: Pick<ReferralRequest, "id" | "customerId">,
): Promise<{ copies: SavedPatient[]; unmatched: number }> {
  const kept = customerId ? (await tenant.savedPatients.idsOf(customerId)).length : 0;
  if (!customerId || kept === 0) return { copies: [], unmatched: 0 };
  const people = await unlessDamaged(async () => {
    const given = await tenant.requests.patientOf(id);
    const corrected = await tenant.corrections.pending(id);
    return [given?.patient, corrected?.patient];
  });
  if (!people) return { copies: [], unmatched: kept };
  const all = await tenant.savedPatients.of(customerId);
  const copies = all.filter(({ patient }) =>
    people.some((person) => person && isSamePerson(patient, person)),
  );
  return { copies, unmatched: kept - all.length };
}

/** The names of the people whose details a customer keeps, and for how many months they are kept unused. */
export interface SavedNames {
  people: {
    id: string;
    /** Null where a damaged key hides who it is. */
    person: Pick<Patient, "firstName" | "lastName" | "dob"> | null;
  }[];
  retentionMonths: number | null;
}

/** Their names, to choose one of; null for whoever has no account. The details are opened one by one. */
export async function nameSavedPatients(
  { tenancy }: Pick<Ports, "tenancy">,
  { shop, viewer }: ViewerScope,
): Promise<SavedNames | null> {
  return tenancy.inShop(shop, async (tenant) => {
    const account = await accountOfViewer(tenant, viewer);
    const settings = await tenant.shops.find();
    if (!account || !settings) return null;
    const saved = await tenant.savedPatients.of(account);
    const known = new Map(
      saved.map(({ id, patient: { firstName, lastName, dob } }) => [
        id,
        { firstName, lastName, dob },
      ]),
    );
    const ids = await tenant.savedPatients.idsOf(account);
    const people = ids.map((id) => ({ id, person: known.get(id) ?? null }));
    return { people, retentionMonths: settings.retentionMonths };
  });
}

/** The details of one person whom this customer keeps; null for everybody else's. */
export async function findSavedPatient(
  { tenancy, clock }: SavedPorts,
  { shop, viewer, id }: Target,
): Promise<SavedPatient | null> {
  return tenancy.inShop(shop, async (tenant) => {
    const account = await accountOfViewer(tenant, viewer);
    const saved = account && (await tenant.savedPatients.find(account, id));
    if (!saved) return null;
    await logSaved(tenant, [saved], {
      who: "customer",
      what: "saved_patient_viewed",
      at: clock.now(),
    });
    return saved;
  });
}

/** Keeps somebody's details under an id of the client's, or replaces what this customer keeps under it. */
export async function putSavedPatient(
  { tenancy, clock }: SavedPorts,
  { shop, viewer, id, details }: Target & { details: unknown },
): Promise<SavePatientOutcome> {
  return tenancy.inShop(shop, async (tenant) => {
    const account = await accountOfViewer(tenant, viewer);
    const settings = await tenant.shops.find();
    if (!account || !settings?.installed) return { kind: "not_found" };
    const at = clock.now();
    const { minimumAge } = settings;
    const reading = readSavedDetails(details, { minimumAge, today: at });
    if (reading.kind === "invalid") return { kind: "invalid", errors: reading.errors };
    const { patient, medicare } = reading;
    return save(tenant, account, { saved: { id, patient, medicare }, at });
  });
}

/**
 * Keeps the details that a customer's own test was given, in place of what they keep of the same person: whose name and date
 * of birth are the same. A card stays when the form did not ask for one.
 */
export async function keepGivenPatient(
  { tenancy, clock }: SavedPorts,
  { shop, viewer, requestId }: ViewerScope & { requestId: string },
): Promise<SavePatientOutcome> {
  return tenancy.inShop(shop, async (tenant) => {
    const account = await accountOfViewer(tenant, viewer);
    // An erasure of it comes before what is read here, or after what is kept.
    const request = await tenant.requests.findForUpdate(requestId);
    if (!account || request?.owner !== "buyer" || request.customerId !== account)
      return { kind: "not_found" };
    const given = await tenant.requests.patientOf(requestId);
    if (!given) return { kind: "not_found" };
    // A correction that is still on its way is what was given last.
    const patient = (await tenant.corrections.pending(requestId))?.patient ?? given.patient;
    await tenant.savedPatients.lock(account);
    const all = await tenant.savedPatients.of(account);
    const before = all.find((one) => isSamePerson(one.patient, patient));
    const saved = {
      id: before?.id ?? randomUUID(),
      patient,
      medicare: given.medicare ?? before?.medicare ?? null,
    };
    return save(tenant, account, { saved, at: clock.now() });
  });
}

/** Notes that a customer used somebody's details for a test, so that they are kept on. */
export async function markSavedPatientUsed(
  { tenancy, clock }: SavedPorts,
  { shop, viewer, id }: Target,
): Promise<void> {
  await tenancy.inShop(shop, async (tenant) => {
    const account = await accountOfViewer(tenant, viewer);
    if (account) await tenant.savedPatients.markUsed(account, id, clock.now());
  });
}

async function save(
  tenant: Tenant,
  account: CustomerId,
  { saved, at }: { saved: SavedPatient; at: Date },
): Promise<SavePatientOutcome> {
  const { savedPatients } = tenant;
  await savedPatients.lock(account);
  const all = await savedPatients.of(account);
  const isKnown = all.some(({ id }) => id === saved.id);
  if (!isKnown && all.length >= MAX_SAVED_PATIENTS) return { kind: "too_many" };
  const isDone = isKnown
    ? await savedPatients.change(account, saved, at)
    : await savedPatients.add(account, saved, at);
  if (!isDone) return { kind: "not_found" };
  const what = isKnown ? "saved_patient_changed" : "saved_patient_added";
  await logSaved(tenant, [saved], { who: "customer", what, at });
  return { kind: "saved", saved };
}

async function logSaved(
  tenant: Tenant,
  saved: Pick<SavedPatient, "id">[],
  deed: Omit<NewAccessEntry, "subjectId">,
): Promise<void> {
  await tenant.accessLog.add(...saved.map(({ id }) => ({ ...deed, subjectId: id })));
}

/** The details as the form and the interface name them. */
export const flatDetails = ({
  patient,
  medicare,
}: {
  patient: Patient;
  medicare: MedicareCard | null;
}) => ({
  ...patient,
  ...(medicare ? { medicareCardNumber: medicare.medicareCardNumber } : {}),
  ...(medicare?.dvaNumber ? { dvaNumber: medicare.dvaNumber } : {}),
});
