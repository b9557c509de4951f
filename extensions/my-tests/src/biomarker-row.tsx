import { useApp, useWords } from "../../shared/app-context.ts";
import { flagOf, placeInRange } from "../../shared/result/range.ts";
import { rangeText } from "../../shared/result/range-text.ts";
import { RangeBar } from "./range-bar.tsx";
import type { AdditionalRange, Biomarker } from "./result.ts";

/** One measured thing: value, what the laboratory says of it, and the ranges to read it against. */
export function BiomarkerRow({ biomarker }: { biomarker: Biomarker }) {
  const { i18n } = useApp().host;
  const words = useWords();
  const { name, commonName, value, unit } = biomarker;
  const range = { low: biomarker.rangeLow, high: biomarker.rangeHigh };
  const flag = flagOf(biomarker);
  const placement = placeInRange(value, range);
  const expected = rangeText(i18n, range, unit);

  return (
    <s-stack gap="small" accessibilityRole="list-item">
      <s-stack direction="inline" gap="small" alignItems="center" justifyContent="space-between">
        <s-text type="strong">{name}</s-text>
        <s-badge tone={biomarker.isAbnormal ? "critical" : "neutral"}>
          {words(`flag.${flag}`)}
        </s-badge>
      </s-stack>
      {commonName && commonName !== name && <s-text color="subdued">{commonName}</s-text>}
      <s-text>{biomarker.formattedValue || [value, unit].filter(Boolean).join(" ")}</s-text>
      {placement && <RangeBar placement={placement} />}
      {expected && <s-text color="subdued">{words("range.expected", { range: expected })}</s-text>}
      <AdditionalRanges ranges={biomarker.additionalRanges ?? []} unit={unit} />
      {biomarker.notes && <s-text>{words("result.note", { note: biomarker.notes })}</s-text>}
    </s-stack>
  );
}

/** Ranges that hold for some people or phases only: cycle phases, targets at high risk. */
function AdditionalRanges({ ranges, unit }: { ranges: AdditionalRange[]; unit: string | null }) {
  const { i18n } = useApp().host;
  const words = useWords();
  if (ranges.length === 0) return null;
  return (
    <s-details>
      <s-summary>{words("range.additional")}</s-summary>
      <s-unordered-list>
        {ranges.map((range) => (
          <s-list-item key={range.id}>
            {words("range.named", {
              name: range.name,
              range: rangeText(i18n, range, unit) ?? words("range.open"),
            })}
          </s-list-item>
        ))}
      </s-unordered-list>
    </s-details>
  );
}
