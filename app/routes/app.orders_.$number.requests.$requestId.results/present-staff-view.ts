import { arrangeResult } from "../../modules/access/arrange-values.ts";
import type { ArrangedResult, BiomarkerView } from "../../modules/access/open-result.ts";
import { gidNumber, type OrderId } from "../../modules/kernel/ids.ts";
import type { StaffViewResults } from "../../modules/privacy/read-staff-view.ts";
import { presentAlert } from "../../modules/referrals/clinical-texts.ts";
import { contradictsRange, flagOf } from "../../modules/referrals/range.ts";
import type { ResultAlert } from "../../modules/referrals/result-alert.ts";
import { shortDate } from "../../web/customer-pages/show-date.ts";

export type StaffView = ReturnType<typeof presentStaffView>;
export type StaffViewResult = NonNullable<StaffView["results"]>[number];

/** The results with their ranges in words, or none before somebody has said why. */
export function presentStaffView(
  found: Exclude<StaffViewResults, { kind: "not_found" | "not_allowed" }>,
  { orderId }: { orderId: OrderId },
) {
  return {
    back: { content: `Order ${found.orderName}`, url: `/app/orders/${gidNumber(orderId)}` },
    subtitle: `Order ${found.orderName}`,
    held: found.held,
    version: found.version,
    /** Nobody reads them, because the consent was withdrawn. */
    isHidden: found.kind === "withdrawn",
    results: found.kind === "shown" ? found.results.map((one) => presentResult(one)) : null,
    earlier: found.kind === "shown" ? presentEarlier(found) : null,
  };
}

/** The advice to the patient is no heading for whoever reads the result for them. */
const ALERTS: Record<ResultAlert["level"], (count: number) => string> = {
  critical: (count) => `Marked as critical by the laboratory: ${count}`,
  positive: (count) => `Findings that the laboratory marked: ${count}`,
};

type Shown = Extract<StaffViewResults, { kind: "shown" }>;

function presentEarlier({ earlier }: Shown) {
  return {
    hidden: earlier.hidden,
    shown: earlier.shown.map(({ requestId, orderId, orderName, title, date }) => ({
      requestId,
      text: `${title}, order ${orderName}`,
      date,
      url: `/app/orders/${gidNumber(orderId)}/requests/${requestId}/results`,
    })),
  };
}

function presentResult({ view, isReleased, release, reportId }: Shown["results"][number]) {
  const { id, title, partial, correctedAt, resultDate, timeZone } = view;
  const alert = presentAlert(view.alert, null);
  return {
    id,
    title,
    partial,
    correctedAt,
    isReleased,
    release,
    reportId,
    resultDate,
    alert: alert && {
      heading: ALERTS[alert.level](alert.count),
      text: `The patient reads “${alert.heading}”, and: ${alert.text}`,
    },
    counts: countsOf(view),
    categories: view.categories.map((category) => ({
      ...category,
      biomarkers: category.biomarkers.map((biomarker) => ({
        id: biomarker.id,
        name: nameOf(biomarker),
        value: biomarker.formattedValue,
        isAbnormal: biomarker.isAbnormal,
        isContradictory: contradictsRange(biomarker),
        ranges: rangesOf(biomarker),
        notes: biomarker.notes,
        earlier: biomarker.history
          .map(({ formattedValue, date }) => `${formattedValue} on ${shortDate(date, timeZone)}`)
          .join(" · "),
      })),
    })),
  };
}

/** The laboratory's name first: two values may share a common one. */
const nameOf = ({ name, commonName }: BiomarkerView): string =>
  commonName && commonName !== name ? `${name} (${commonName})` : name;

/** Tells what the service counts, and what is marked below: the patient counts the same list. Null where it counts nothing. */
function countsOf(view: ArrangedResult): string | null {
  const { summary } = view;
  if (!summary) return null;
  const { counts, unclear, isCriticalUnnamed } = arrangeResult(view.categories, view, flagOf);
  const { abnormal, critical, total } = summary;
  return unclear
    ? `The laboratory counts ${abnormal} of ${total} abnormal and ${critical} critical, and marks ${counts.outside} below`
    : `${counts.outside} of ${total} out of range, ${critical} critical${isCriticalUnnamed ? " (the laboratory doesn’t say which)" : ""}`;
}

function rangesOf({ rangeLow, rangeHigh, additionalRanges, unit }: BiomarkerView): string[] {
  const own = rangeText(rangeLow, rangeHigh, unit);
  const others = additionalRanges.map(({ name, low, high }) => {
    const text = rangeText(low, high, unit);
    return text && `${name}: ${text}`;
  });
  return [own, ...others].filter((text) => text !== null);
}

function rangeText(low: number | null, high: number | null, unit: string): string | null {
  if (low !== null && high !== null) return `${low} to ${high} ${unit}`.trim();
  if (high !== null) return `up to ${high} ${unit}`.trim();
  return low === null ? null : `${low} ${unit} or more`.trim();
}
