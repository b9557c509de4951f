import { useApp, useWords } from "../../shared/app-context.ts";
import { rangeText } from "../../shared/result/range-text.ts";
import { unitText } from "../../shared/result/unit-text.ts";
import { showDate } from "../../shared/show-date.ts";
import { RangeBar } from "./range-bar.tsx";
import { type Biomarker, flagOf, type Result } from "./result.ts";

const valueText = ({ formattedValue, value, unit }: Biomarker): string =>
  unitText(formattedValue || [value, unit].filter(Boolean).join(" "));

/** An answer in its lines: a culture names a germ, or what it resists, in each. */
const linesOf = (text: string): string[] => text.split(/\s*\n\s*/).filter(Boolean);

/** One measured thing in full: value, what the laboratory says of it, and what to read it against. */
export function BiomarkerRow({
  biomarker,
  category,
  result,
}: {
  biomarker: Biomarker;
  category: string;
  result: Result;
}) {
  const words = useWords();
  const { name, commonName } = biomarker;
  const subtitle = [commonName === name ? null : commonName, category].filter(Boolean).join(" · ");
  return (
    <s-stack gap="small-200" accessibilityRole="list-item">
      <s-stack direction="inline" gap="small" alignItems="center">
        <s-text type="strong">{name}</s-text>
        <s-badge tone={biomarker.isAbnormal ? "critical" : "neutral"}>
          {words(`flag.${flagOf(biomarker)}`)}
        </s-badge>
      </s-stack>
      <s-text color="subdued">{subtitle}</s-text>
      <Context biomarker={biomarker} result={result} value={valueText(biomarker)} />
    </s-stack>
  );
}

/** Shows an unflagged marker as a line, with the rest behind it. */
export function QuietBiomarker({ biomarker, result }: { biomarker: Biomarker; result: Result }) {
  const words = useWords();
  const { name, commonName } = biomarker;
  const [first = "", ...more] = linesOf(valueText(biomarker));
  return (
    <s-details>
      <s-summary>
        {words("result.line", {
          name,
          value: more.length > 0 ? `${first} …` : first,
          flag: words(`flag.${flagOf(biomarker)}`),
        })}
      </s-summary>
      <s-stack gap="small">
        {commonName && commonName !== name && <s-text color="subdued">{commonName}</s-text>}
        <Context
          biomarker={biomarker}
          result={result}
          value={more.length > 0 ? valueText(biomarker) : undefined}
        />
      </s-stack>
    </s-details>
  );
}

/**
 * Shows what was measured and what a value is read against: its range, further ranges, earlier values, the laboratory's note. `value`: the
 * value itself, where the row did not show it before.
 */
function Context({
  biomarker,
  result,
  value,
}: {
  biomarker: Biomarker;
  result: Result;
  value?: string | undefined;
}) {
  const { i18n } = useApp().host;
  const words = useWords();
  const unit = unitText(biomarker.unit ?? "");
  const range = { low: biomarker.rangeLow, high: biomarker.rangeHigh };
  // Beside its value a range needs no unit of its own.
  const expected = rangeText(i18n, range, value ? null : unit);
  const further = biomarker.additionalRanges ?? [];
  const earlier = biomarker.history ?? [];
  const last = earlier.at(-1);
  // Beside what needs a doctor nothing is said that could calm or frighten.
  const description = result.alert ? null : biomarker.description;
  const dateOf = (at: string) => showDate(i18n, at, result.timeZone, "medium");
  return (
    <>
      {(value || expected) && (
        <s-stack direction="inline" gap="small" alignItems="center">
          {value && (
            <s-stack>
              {linesOf(value).map((line, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: never changed, and two lines may be alike
                <s-text key={at} type="strong">
                  {line}
                </s-text>
              ))}
            </s-stack>
          )}
          {expected && (
            <s-text color="subdued">{words("range.expected", { range: expected })}</s-text>
          )}
        </s-stack>
      )}
      {biomarker.placement && <RangeBar placement={biomarker.placement} />}
      {description && <s-text>{description}</s-text>}
      {biomarker.sampleType && (
        <s-text color="subdued">
          {words("result.sample", { sample: biomarker.sampleType.replaceAll("-", " ") })}
        </s-text>
      )}
      {further.length > 0 && (
        <>
          <s-text color="subdued">{words("range.additional")}</s-text>
          <s-unordered-list>
            {further.map((one) => (
              <s-list-item key={one.id}>
                {words("range.named", {
                  name: one.name,
                  range: rangeText(i18n, one, unit) ?? words("range.open"),
                })}
              </s-list-item>
            ))}
          </s-unordered-list>
        </>
      )}
      {last && biomarker.change && (
        <s-text>
          {words(`trend.since_${biomarker.change}`, {
            date: dateOf(last.date),
            value: unitText(last.formattedValue || last.value),
          })}
        </s-text>
      )}
      {earlier.length > 0 && (
        <>
          <s-text color="subdued">{words("trend.heading", { number: earlier.length })}</s-text>
          <s-unordered-list>
            {earlier.map((one) => (
              <s-list-item key={`${one.date} ${one.value}`}>
                {words("trend.earlier", {
                  date: dateOf(one.date),
                  value: unitText(one.formattedValue || one.value),
                  flag: words(`flag.${flagOf(one)}`),
                })}
              </s-list-item>
            ))}
          </s-unordered-list>
        </>
      )}
      {biomarker.notes &&
        linesOf(words("result.note", { note: biomarker.notes })).map((line, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: never changed, and two lines may be alike
          <s-text key={at}>{line}</s-text>
        ))}
    </>
  );
}
