import { rangeText } from "../../../extensions/shared/result/range-text.ts";
import { unitText } from "../../../extensions/shared/result/unit-text.ts";
import { countedOutside } from "../../modules/access/arrange-values.ts";
import { changeSinceLast } from "../../modules/access/change-since.ts";
import { customerWords as words } from "../../modules/access/customer-words.ts";
import type { BiomarkerView, ResultView } from "../../modules/access/open-result.ts";
import type { EarlierValue } from "../../modules/access/result-history.ts";
import { flagBeside, placeInRange } from "../../modules/referrals/range.ts";
import { shortDate } from "./show-date.ts";
import { TrendPicture } from "./trend-picture.tsx";

const i18n = {
  translate: words,
  formatNumber: (value: number, options?: Intl.NumberFormatOptions) =>
    value.toLocaleString("en-AU", options),
};

interface Props {
  biomarker: BiomarkerView;
  result: ResultView;
}

/** Shows what was measured and what a value is read against: its range, further ranges, earlier values, the laboratory's note. */
export function Ranges({ biomarker, result }: Props) {
  const { value, unit, notes, sampleType } = biomarker;
  // Beside what needs a doctor nothing is said that could calm or frighten.
  const description = result.alert ? "" : biomarker.description.trim();
  const range = { low: biomarker.rangeLow, high: biomarker.rangeHigh };
  const inWords = (one: typeof range) =>
    rangeText(i18n, one, unitText(unit))?.replace(/ (?=\S+$)/, "\u00a0") ?? null;
  const expected = inWords(range);
  return (
    <>
      {description && <p>{description}</p>}
      {sampleType && (
        <p className="pw-quiet">
          {words("result.sample", { sample: sampleType.replaceAll("-", " ") })}
        </p>
      )}
      <RangeBar value={value} range={range} />
      {expected && <p className="pw-quiet">{words("range.expected", { range: expected })}</p>}
      {biomarker.additionalRanges.length > 0 && (
        <>
          <p className="pw-quiet">{words("range.additional")}</p>
          <ul>
            {biomarker.additionalRanges.map((one) => (
              <li key={one.id}>
                {words("range.named", {
                  name: one.name,
                  range: inWords(one) ?? words("range.open"),
                })}
              </li>
            ))}
          </ul>
        </>
      )}
      {biomarker.history.length > 0 && (
        <Trend biomarker={biomarker} result={result} range={range} expected={expected} />
      )}
      {notes && <p className="pw-said">{words("result.note", { note: notes })}</p>}
    </>
  );
}

/** Only a picture: the words beside it say the same. */
function RangeBar({
  value,
  range,
}: {
  value: string;
  range: { low: number | null; high: number | null };
}) {
  const placement = placeInRange(value, range);
  if (!placement) return null;
  const { lowPercent, highPercent, valuePercent } = placement;
  const at = 2 + valuePercent * 0.96;
  return (
    <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true" focusable="false">
      <rect x="2" y="2" width="96" height="4" fill="var(--line)" />
      <rect
        x={2 + lowPercent * 0.96}
        y="2"
        width={(highPercent - lowPercent) * 0.96}
        height="4"
        fill="var(--quiet)"
      />
      <rect
        x={at - 0.5}
        y="0"
        width="1"
        height="10"
        fill="var(--ink)"
        stroke="var(--paper)"
        strokeWidth="0.4"
      />
    </svg>
  );
}

/** Earlier values of the same person and this one, oldest first. */
export function valuesOver(biomarker: BiomarkerView, result: ResultView): EarlierValue[] {
  if (biomarker.history.length === 0) return [];
  const all = result.categories.flatMap(({ biomarkers }) => biomarkers);
  const marked = all.filter(({ isAbnormal }) => isAbnormal).length;
  const isUnclear = marked < countedOutside(result.summary);
  const own = { ...biomarker, date: result.resultDate ?? "", isUnclear };
  return [...biomarker.history, own];
}

const NO_RANGE = { low: null, high: null };

/** The words beside a value of the list. The range above is the newest one's alone: laboratories change theirs. */
const flagIn = (row: EarlierValue, { low, high }: { low: number | null; high: number | null }) =>
  `flag.${flagBeside({ ...row, rangeLow: low, rangeHigh: high }, row.isUnclear)}` as const;

/** Earlier values of the same person and this one, oldest first: a line where they are numbers, and a list. */
function Trend({
  biomarker,
  result,
  range,
  expected,
}: Props & { range: { low: number | null; high: number | null }; expected: string | null }) {
  const { id, name } = biomarker;
  const rows = valuesOver(biomarker, result);
  const last = biomarker.history.at(-1);
  const change = changeSinceLast(biomarker, result);
  return (
    <>
      {last && change && (
        <p>
          {words(`trend.since_${change}`, {
            date: shortDate(last.date, result.timeZone),
            value: unitText(last.formattedValue),
          })}
        </p>
      )}
      <TrendPicture
        id={id}
        name={name}
        values={rows}
        range={range}
        expected={expected}
        timeZone={result.timeZone}
      />
      <details>
        <summary>
          {words("trend.list", { number: rows.length })}
          <span className="pw-hidden">: {name}</span>
        </summary>
        <table>
          <thead>
            <tr>
              <th scope="col">{words("trend.date")}</th>
              <th scope="col">{words("trend.value")}</th>
              <th scope="col">{words("trend.flag")}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rendered once, never changed
              <tr key={index}>
                <td>{row.date ? shortDate(row.date, result.timeZone) : ""}</td>
                <td className="pw-said">{unitText(row.formattedValue)}</td>
                <td>{words(flagIn(row, index === rows.length - 1 ? range : NO_RANGE))}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </>
  );
}
