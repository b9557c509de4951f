import { dayOf } from "../../platform/calendar-day.ts";
import type { Patient } from "../patients/patient.ts";
import type { ReferralRequest } from "../referrals/request.ts";
import type { BiomarkerSnapshot } from "../referrals/snapshots.ts";
import { countedOutside } from "./arrange-values.ts";
import type { Tenant } from "./tenant.ts";
import { isOwner, requestsOf, type ViewerIdentity } from "./viewer.ts";

/** An earlier value of one biomarker. */
export interface EarlierValue {
  /** ISO 8601. */
  date: string;
  value: string;
  formattedValue: string;
  isAbnormal: boolean;
  /** Its result had more values counted as outside range, or critical, than marked: this may be one. */
  isUnclear: boolean;
}

/** More would be hard to read. */
const MAX_VALUES = 12;

/** "<0.1" is not 0.1. */
const COMPARATOR = /[<>≤≥]/;

/** A value with its unit, also where the service gives them apart only, or writes them without the sign before the number. */
export const writtenValue = ({
  formattedValue,
  value,
  unit,
}: Pick<BiomarkerSnapshot, "formattedValue" | "value" | "unit">): string =>
  COMPARATOR.test(value) && !COMPARATOR.test(formattedValue)
    ? `${value} ${unit}`.trim()
    : formattedValue.trim() || `${value} ${unit}`.trim();

/**
 * Returns the key by which values are compared: the biomarker and its unit. 5 mmol/L and 90 mg/dL are no rise, also where
 * only the written value has the unit.
 */
export const measureOf = ({
  id,
  unit,
  value,
  formattedValue,
}: Pick<BiomarkerSnapshot, "id" | "unit" | "value" | "formattedValue">): string =>
  `${id}\n${unit.trim() || formattedValue.replace(value, "").trim()}`;

/** A result of the same person that came before another one. */
export interface EarlierResult {
  requestId: string;
  resultId: string;
  /** ISO 8601. */
  date: string;
  /** The same for results that may be of one sample. */
  sample: string;
  /** Whether more of its values are counted as outside range, or critical, than are marked. */
  isUnclear: boolean;
  biomarkers: BiomarkerSnapshot[];
}

interface Beside {
  request: ReferralRequest;
  resultId: string;
  /** ISO 8601: the date of the result that they are put beside. */
  before: string;
  timeZone: string;
}

/**
 * Returns earlier results of the same person, oldest first. Only released results that the same person holds count, and
 * only those whose patient has the same name and date of birth: one account may hold the tests of several people, and a
 * trend across two of them would be wrong. The other result of the same unit counts from the next day on: before that it
 * may be of the same sample.
 */
export async function earlierResults(
  tenant: Tenant,
  identity: ViewerIdentity,
  { request, resultId, before, timeZone }: Beside,
): Promise<EarlierResult[]> {
  const own = await tenant.requests.patientOf(request.id);
  const today = dayOf(before, timeZone);
  if (!own || today === null) return [];
  const held = (await requestsOf(tenant, identity)).filter(
    (one) =>
      isOwner(one, identity) && one.hasPatient && one.state !== "cancelled" && !one.resultsHiddenAt,
  );
  const results = await tenant.results.forRequests(held.map(({ id }) => id));
  const patients = await tenant.requests.patientsOf(held.map(({ id }) => id));
  const found: EarlierResult[] = [];
  for (const { uuid, requestId, releasedAt } of results) {
    if (!releasedAt || uuid === resultId) continue;
    const theirs = patients.get(requestId);
    if (!theirs || personOf(theirs.patient) !== personOf(own.patient)) continue;
    const snapshot = await tenant.results.snapshotOf(uuid);
    const date = snapshot?.resultDate ?? snapshot?.updatedAt;
    const day = date ? dayOf(date, timeZone) : null;
    if (!snapshot || !date || day === null) continue;
    // Both results of one unit may be of one sample: within a day they are no change.
    const isSibling = requestId === request.id;
    if (isSibling ? day >= today : Date.parse(date) >= Date.parse(before)) continue;
    const { biomarkers, biomarkerSummary } = snapshot;
    const marked = biomarkers.filter(({ isAbnormal }) => isAbnormal).length;
    const isUnclear = marked < countedOutside(biomarkerSummary);
    const sample = `${requestId} ${day}`;
    found.push({ requestId, resultId: uuid, date, sample, isUnclear, biomarkers });
  }
  return found.sort((a, b) => Date.parse(a.date) - Date.parse(b.date));
}

/**
 * Returns what one result has several values of, as a tolerance test has, by `measureOf`. Which of them compares with which
 * of another time, nothing says.
 */
export function measuredAgain(biomarkers: readonly BiomarkerSnapshot[]): Set<string> {
  const measures = biomarkers.map(measureOf);
  return new Set(measures.filter((measure, index) => measures.indexOf(measure) !== index));
}

/** Returns the values of earlier results, by `measureOf`, oldest first. */
export function valuesOf(results: readonly EarlierResult[]): Map<string, EarlierValue[]> {
  const history = new Map<string, EarlierValue[]>();
  const seen = new Set<string>();
  for (const { date, sample, isUnclear, biomarkers } of results) {
    const again = measuredAgain(biomarkers);
    for (const biomarker of biomarkers) {
      const { value, isAbnormal } = biomarker;
      const formattedValue = writtenValue(biomarker);
      const measure = measureOf(biomarker);
      if (again.has(measure)) continue;
      // Both parts of a unit can have the same thing of the same sample: that is one value.
      const once = [sample, measure, value.trim()].join("\n");
      if (seen.has(once)) continue;
      seen.add(once);
      const known = history.get(measure) ?? [];
      const values = [...known, { date, value, formattedValue, isAbnormal, isUnclear }];
      history.set(measure, values.slice(-MAX_VALUES));
    }
  }
  return history;
}

const personOf = ({ firstName, lastName, dob }: Patient): string =>
  [firstName, lastName, dob].map((part) => part.normalize("NFC").trim().toLowerCase()).join("\n");
