import { createHash } from "node:crypto";
import type { BiomarkerView, ResultView } from "./open-result.ts";

const INTERPRETATION = "http://terminology.hl7.org/CodeSystem/v3-ObservationInterpretation";
const ABSENT = "http://terminology.hl7.org/CodeSystem/data-absent-reason";

/**
 * Arranges released results as a FHIR R4 Bundle (type `collection`): for each result one Patient, one DiagnosticReport, and
 * one Observation for each value. The interface has no codes of LOINC or UCUM (§2.2), so names and units are text. The same
 * result has the same ids each time.
 */
export const fhirBundle = (results: readonly ResultView[]) => ({
  resourceType: "Bundle",
  type: "collection",
  ...(results.length > 0
    ? {
        entry: results.flatMap(resourcesOf).map((resource) => ({
          fullUrl: `urn:uuid:${resource.id}`,
          resource,
        })),
      }
    : {}),
});

function resourcesOf(result: ResultView) {
  const patientId = idOf(result.id, "patient");
  const subject = { reference: `urn:uuid:${patientId}` };
  const at = new Date(result.resultDate ?? Number.NaN);
  const issued = Number.isNaN(at.getTime()) ? {} : { issued: at.toISOString() };
  const isShared = sharedNames(result);
  const keyOf = keysOfValues();
  const observations = result.categories.flatMap(({ id: category, name, biomarkers }) =>
    biomarkers.map((biomarker) => ({
      resourceType: "Observation",
      id: idOf(result.id, keyOf(category, biomarker.id)),
      // Nothing says which values of a partial report are final.
      status: result.partial ? "preliminary" : "final",
      ...(said(name) ? { category: [{ text: said(name) }] } : {}),
      code: { text: nameOf(biomarker, isShared) },
      subject,
      ...issued,
      ...readValue(biomarker),
      ...(biomarker.isAbnormal
        ? {
            interpretation: [
              { coding: [{ system: INTERPRETATION, code: "A", display: "Abnormal" }] },
            ],
          }
        : {}),
      ...(said(biomarker.notes) ? { note: [{ text: said(biomarker.notes) }] } : {}),
      ...readRanges(biomarker),
    })),
  );
  const report = {
    resourceType: "DiagnosticReport",
    id: result.id,
    status: result.partial ? "partial" : result.correctedAt ? "corrected" : "final",
    code: { text: said(result.title) ?? "Result" },
    subject,
    ...issued,
    ...conclusionOf(result),
    ...(observations.length > 0
      ? { result: observations.map(({ id }) => ({ reference: `urn:uuid:${id}` })) }
      : {}),
  };
  const { patient } = result;
  const person = {
    resourceType: "Patient",
    id: patientId,
    ...(said(patient?.name) ? { name: [{ text: said(patient?.name) }] } : {}),
    ...(patient ? { birthDate: patient.dob } : {}),
  };
  return [person, report, ...observations];
}

/**
 * Tells a value from the others of its result: by its category, its id, and how many of both came before it. The interface
 * does not say that ids of categories or values differ (§2.2), and a bundle has no two entries of one id (bdl-7).
 */
function keysOfValues() {
  const seen = new Map<string, number>();
  return (category: string, id: string) => {
    const name = JSON.stringify([category, id]);
    const before = seen.get(name) ?? 0;
    seen.set(name, before + 1);
    return `${name} ${before}`;
  };
}

/** The service says how many values are critical, and not which (interface §2.2): no value's own mark tells it. */
function conclusionOf({ summary }: ResultView) {
  if (!summary || summary.critical === 0) return {};
  const { critical, total } = summary;
  return { conclusion: `The laboratory counts ${critical} of ${total} values as critical.` };
}

/** A text as FHIR takes it: not blank, and without control characters; undefined for what says nothing. */
function said(text: string | null | undefined): string | undefined {
  return (text ?? "").replace(/[^\P{C}\t\n\r]/gu, "").trim() || undefined;
}

/** The common name, or the laboratory's own where values share a common one: software of a doctor may merge values of one name. */
function nameOf({ name, commonName }: BiomarkerView, isShared: (commonName: string) => boolean) {
  const [own, common] = [said(name), said(commonName)];
  return (common && own && isShared(common) ? own : (common ?? own)) ?? "Unnamed";
}

/** Whether values of several names have this common name. */
function sharedNames({ categories }: ResultView): (commonName: string) => boolean {
  const names = new Map<string | undefined, Set<string | undefined>>();
  for (const { commonName, name } of categories.flatMap(({ biomarkers }) => biomarkers)) {
    const ofCommon = names.get(said(commonName)) ?? new Set();
    names.set(said(commonName), ofCommon.add(said(name)));
  }
  return (shared) => (names.get(shared)?.size ?? 0) > 1;
}

const COMPARATORS: Record<string, string> = { "≤": "<=", "≥": ">=" };

/** A number with its unit, words as they are, or the statement that there is no value. */
function readValue({ value, unit, formattedValue }: BiomarkerView) {
  // "1,200" is no number here: without its unit it would be anything.
  const text = said(unit)
    ? (said(formattedValue) ?? said(value))
    : (said(value) ?? said(formattedValue));
  const [, sign, digits] = /^(<=|>=|[<>≤≥])?\s*(-?\d+(?:\.\d+)?)$/.exec(value.trim()) ?? [];
  const comparator = sign && (COMPARATORS[sign] ?? sign);
  if (digits !== undefined)
    return {
      valueQuantity: {
        value: Number(digits),
        ...(comparator ? { comparator } : {}),
        ...(said(unit) ? { unit: said(unit) } : {}),
      },
    };
  return text
    ? { valueString: text }
    : { dataAbsentReason: { coding: [{ system: ABSENT, code: "unknown", display: "Unknown" }] } };
}

function readRanges({ rangeLow, rangeHigh, additionalRanges, unit }: BiomarkerView) {
  const quantity = (value: number) => ({ value, ...(said(unit) ? { unit: said(unit) } : {}) });
  const bounds = ({ low, high }: { low: number | null; high: number | null }) => ({
    ...(low === null ? {} : { low: quantity(low) }),
    ...(high === null ? {} : { high: quantity(high) }),
  });
  const own =
    rangeLow === null && rangeHigh === null ? [] : [bounds({ low: rangeLow, high: rangeHigh })];
  // A range without bounds is its name alone. One without a name as well says nothing (obs-3).
  const others = additionalRanges.map((range) => ({
    ...bounds(range),
    ...(said(range.name) ? { text: said(range.name) } : {}),
  }));
  const referenceRange = [...own, ...others].filter((range) => Object.keys(range).length > 0);
  return referenceRange.length > 0 ? { referenceRange } : {};
}

/** A UUID that is always the same for the same part of the same result (RFC 9562, version 8). */
function idOf(resultId: string, part: string): string {
  const hex = createHash("sha256").update(`fhir ${resultId} ${part}`).digest("hex");
  const variant = ((Number.parseInt(hex.slice(16, 18), 16) & 0x3f) | 0x80).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(18, 20)}-${hex.slice(20, 32)}`;
}
