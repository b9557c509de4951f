import type { Patient } from "../patients/patient.ts";
import type { BiomarkerSnapshot } from "../referrals/snapshots.ts";
import type { ReferralRequest } from "../requests/request.ts";
import type { Tenant } from "../tenant.ts";
import { isHolder, requestsOf, type Viewer } from "./viewer.ts";

/** An earlier value of one biomarker. */
export interface EarlierValue {
  /** ISO 8601. */
  date: string;
  value: string;
  formattedValue: string;
  isAbnormal: boolean;
}

/** More would be hard to read and dear to open. */
const MOST_RESULTS = 12;

/** What values can be compared by: the biomarker and its unit. 5 mmol/L and 90 mg/dL are no rise. */
export const measureOf = ({ id, unit }: Pick<BiomarkerSnapshot, "id" | "unit">): string =>
  `${id}\n${unit.trim()}`;

/**
 * What was measured before of the same person, by `measureOf`, oldest first. Only released results that the same
 * viewer holds count, and only those whose patient has the same name and date of birth: one account may hold
 * the tests of several people, and a trend across two of them would be wrong.
 */
export async function earlierValues(
  tenant: Tenant,
  { viewer, request, before }: { viewer: Viewer; request: ReferralRequest; before: string },
): Promise<Map<string, EarlierValue[]>> {
  const history = new Map<string, EarlierValue[]>();
  const own = await tenant.requests.patientOf(request.id);
  if (!own) return history;
  const others = (await requestsOf(tenant, viewer)).filter(
    (one) => one.id !== request.id && isHolder(one, viewer) && one.hasPatient,
  );
  const results = await tenant.results.forRequests(others.map(({ id }) => id));
  const found: { date: string; biomarkers: BiomarkerSnapshot[] }[] = [];
  for (const result of results) {
    const theirs = result.releasedAt && (await tenant.requests.patientOf(result.requestId));
    if (!theirs || personOf(theirs.patient) !== personOf(own.patient)) continue;
    const snapshot = await tenant.results.snapshotOf(result.uuid);
    const date = snapshot?.resultDate ?? snapshot?.updatedAt;
    if (!snapshot || !date || !(Date.parse(date) < Date.parse(before))) continue;
    found.push({ date, biomarkers: snapshot.biomarkers });
  }
  found.sort((a, b) => Date.parse(a.date) - Date.parse(b.date));
  for (const { date, biomarkers } of found.slice(-MOST_RESULTS))
    for (const biomarker of biomarkers) {
      const { value, formattedValue, isAbnormal } = biomarker;
      const measure = measureOf(biomarker);
      const known = history.get(measure) ?? [];
      history.set(measure, [...known, { date, value, formattedValue, isAbnormal }]);
    }
  return history;
}

const personOf = ({ firstName, lastName, dob }: Patient): string =>
  [firstName, lastName, dob].map((part) => part.trim().toLowerCase()).join("\n");
