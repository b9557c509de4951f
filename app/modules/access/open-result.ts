import { dayOf, TIME_ZONE } from "../../platform/calendar-day.ts";
import { fullName } from "../patients/person-name.ts";
import type { StoredReferral, StoredResult } from "../referrals/referral-repository.ts";
import type { ReferralPart, ReferralRequest } from "../referrals/request.ts";
import { alertOf, type ResultAlert } from "../referrals/result-alert.ts";
import type { BiomarkerSnapshot, ResultSnapshot } from "../referrals/snapshots.ts";
import { partOf } from "../referrals/unit-parts.ts";
import { type ClinicalContact, contactOf } from "../shops/shop.ts";
import { findOwned } from "./find-owned.ts";
import { logAccess } from "./log-access.ts";
import type { Ports } from "./ports.ts";
import {
  type EarlierValue,
  earlierResults,
  measuredAgain,
  measureOf,
  valuesOf,
  writtenValue,
} from "./result-history.ts";
import type { Tenant } from "./tenant.ts";
import type { Viewer, ViewerScope } from "./viewer.ts";
import { type ToldNumber, whoseTests } from "./whose-test.ts";

/** A released result, arranged for display: biomarkers by category (sandbox.md, section 4). */
export interface ResultView {
  id: string;
  title: string;
  /** The referral of two that the result came of; null where the unit has one. */
  part: ReferralPart | null;
  status: string;
  partial: boolean;
  /** When values that its patient could see were last corrected, ISO 8601; null when none was. */
  correctedAt: string | null;
  resultDate: string | null;
  /** The person whose blood it is, as the form named them. */
  patient: { name: string; dob: string } | null;
  /** The number in its order, for whoever owns the test; null for a doctor with whom the result is shared. */
  unit: ToldNumber | null;
  /** Other results of the same test that can be seen, newest first: a list of tests leads to one of them. */
  others: { id: string; reportedOn: string | null }[];
  /** Day of the laboratory's report, YYYY-MM-DD in the shop's time zone: the interface tells no day of collection (§2.2). */
  reportedOn: string | null;
  /** The shop's, in which the moments above and below are read. */
  timeZone: string;
  /** The part that the patient must see before anything else. */
  alert: ResultAlert | null;
  /** Whom to ring about it at the shop. */
  contact: ClinicalContact | null;
  summary: ResultSnapshot["biomarkerSummary"];
  categories: { id: string; name: string; biomarkers: BiomarkerView[] }[];
}

/** The same without whose it is, for staff, whose page says that by itself. */
export type ArrangedResult = Omit<ResultView, "patient" | "unit" | "others">;

export interface BiomarkerView {
  id: string;
  name: string;
  commonName: string;
  /** The service's own words for the thing that is measured; empty where it has none. */
  description: string;
  /** For example `serum`, `whole-blood`. */
  sampleType: string | null;
  formattedValue: string;
  value: string;
  unit: string;
  isAbnormal: boolean;
  notes: string | null;
  /** The same person's earlier values, oldest first. */
  history: EarlierValue[];
  rangeLow: number | null;
  rangeHigh: number | null;
  additionalRanges: {
    id: string;
    name: string;
    category: string;
    low: number | null;
    high: number | null;
  }[];
}

/**
 * The result for its customer, once released. Null for everybody else and before, without telling which. Throws
 * `LinkRefused` when the viewer's link does not open it.
 */
export async function openResult(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  target: ViewerScope & { resultId: string; as?: "result_viewed" | "result_taken_as_fhir" },
): Promise<ResultView | null> {
  return tenancy.inShop(target.shop, async (tenant) => {
    const stored = await tenant.results.find(target.resultId);
    if (!stored?.releasedAt) return null;
    const request = await findOwned(tenant, {
      viewer: target.viewer,
      requestId: stored.requestId,
      opening: "results",
    });
    if (!request || request.state === "cancelled" || request.resultsHiddenAt) return null;
    const { viewer, as: what = "result_viewed" } = target;
    const view = await viewResult(tenant, { viewer, request, stored });
    const entry = { what, requestId: request.id, subjectId: stored.uuid, at: clock.now() };
    if (view) await logAccess(tenant, viewer, entry);
    return view;
  });
}

/**
 * Arranges a released result with whose it is and the viewer's earlier values; without a viewer there are none. The caller
 * has asked whether it may be seen.
 */
export async function viewResult(
  tenant: Tenant,
  {
    viewer,
    request,
    stored,
  }: { viewer: Viewer | null; request: ReferralRequest; stored: StoredResult },
): Promise<ResultView | null> {
  const snapshot = await tenant.results.snapshotOf(stored.uuid);
  if (!snapshot) return null;
  const before = snapshot.resultDate ?? snapshot.updatedAt;
  const settings = await tenant.shops.find();
  const timeZone = settings?.timeZone ?? TIME_ZONE;
  const about = { request, resultId: stored.uuid, before, timeZone };
  const history = valuesOf(viewer ? await earlierResults(tenant, viewer, about) : []);
  const { title } = request;
  const referrals = await tenant.referrals.forRequests([request.id]);
  const part = partOf({ request, referrals }, stored.referralUuid);
  const contact = settings && contactOf(settings);
  const patient = (await tenant.requests.patientOf(request.id))?.patient;
  const whose = viewer ? (await whoseTests(tenant, [request])).get(request.id) : null;
  const view = arrange(snapshot, {
    ...{ title, part, partial: stored.partial, contact, history, timeZone },
    correctedAt: stored.correctedAt,
  });
  return {
    ...view,
    patient: patient ? { name: fullName(patient), dob: patient.dob } : null,
    unit: whose?.unit ?? null,
    others: viewer ? await othersOf(tenant, { request, referrals, stored, timeZone }) : [],
  };
}

/** Returns the other released results of the same test, or of the same part of it. */
async function othersOf(
  tenant: Tenant,
  {
    request,
    referrals,
    stored,
    timeZone,
  }: {
    request: ReferralRequest;
    referrals: StoredReferral[];
    stored: StoredResult;
    timeZone: string;
  },
): Promise<ResultView["others"]> {
  const partHere = partOf({ request, referrals }, stored.referralUuid);
  const all = await tenant.results.forRequests([request.id]);
  const others = all
    .filter(({ uuid, releasedAt }) => releasedAt !== null && uuid !== stored.uuid)
    .filter(({ referralUuid }) => partOf({ request, referrals }, referralUuid) === partHere)
    .toSorted((a, b) => b.serviceUpdatedAt.getTime() - a.serviceUpdatedAt.getTime());
  const found: ResultView["others"] = [];
  for (const { uuid: id } of others) {
    const resultDate = (await tenant.results.snapshotOf(id))?.resultDate;
    found.push({ id, reportedOn: resultDate ? dayOf(resultDate, timeZone) : null });
  }
  return found;
}

/** The heading of values whose category has no name. */
const OTHER = "Other";

/** Biomarkers by category, in the order in which the service lists them, each with the earlier values known. */
export function arrange(
  snapshot: ResultSnapshot,
  {
    title,
    part = null,
    partial,
    correctedAt = null,
    contact = null,
    history = new Map(),
    timeZone,
  }: {
    title: string;
    part?: ReferralPart | null;
    partial: boolean;
    correctedAt?: Date | null;
    contact?: ClinicalContact | null;
    history?: Map<string, EarlierValue[]>;
    timeZone: string;
  },
): ArrangedResult {
  const categories = new Map<string, ResultView["categories"][number]>();
  // A tolerance test has one marker several times: a page has to lead to each.
  const times = new Map<string, number>();
  const again = measuredAgain(snapshot.biomarkers);
  for (const biomarker of snapshot.biomarkers) {
    const time = (times.get(biomarker.id) ?? 0) + 1;
    times.set(biomarker.id, time);
    const { id, name } = biomarker.category;
    // Without an id, its name alone tells a category from the others.
    const key = id || name;
    const category = categories.get(key) ?? { id: key, name: name || OTHER, biomarkers: [] };
    categories.set(key, category);
    const measure = measureOf(biomarker);
    const earlier = again.has(measure) ? [] : (history.get(measure) ?? []);
    const view = biomarkerView(biomarker, earlier);
    category.biomarkers.push(time === 1 ? view : { ...view, id: `${view.id}-${time}` });
  }
  return {
    id: snapshot.uuid,
    title: snapshot.productName ?? title,
    part,
    status: snapshot.status,
    partial,
    correctedAt: correctedAt?.toISOString() ?? null,
    resultDate: snapshot.resultDate,
    reportedOn: snapshot.resultDate && dayOf(snapshot.resultDate, timeZone),
    timeZone,
    alert: alertOf(snapshot),
    contact,
    summary: snapshot.biomarkerSummary,
    categories: [...categories.values()],
  };
}

function biomarkerView(biomarker: BiomarkerSnapshot, history: EarlierValue[]): BiomarkerView {
  const { id, name, commonName, value, unit, isAbnormal, notes } = biomarker;
  return {
    id,
    name,
    commonName,
    description: biomarker.description,
    sampleType: biomarker.sampleType,
    formattedValue: writtenValue(biomarker),
    value,
    unit,
    isAbnormal,
    notes,
    history,
    rangeLow: biomarker.refIntervalLow,
    rangeHigh: biomarker.refIntervalHigh,
    additionalRanges: biomarker.additionalRanges.map((range) => ({
      id: range.id,
      name: range.name,
      category: range.category,
      low: range.lowRange,
      high: range.highRange,
    })),
  };
}
