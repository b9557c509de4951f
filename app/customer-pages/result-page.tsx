import { arrangeResult, flagKey } from "../../extensions/shared/result/arrange.ts";
import { placeInRange } from "../../extensions/shared/result/range.ts";
import { rangeText } from "../../extensions/shared/result/range-text.ts";
import { unitText } from "../../extensions/shared/result/unit-text.ts";
import type { BiomarkerView, ResultView } from "../domain/account/open-result.ts";
import { customerWords as words } from "../messages/customer-words.ts";
import { Notice, type Page } from "./page.tsx";
import type { Place } from "./place.ts";
import { TrendPicture } from "./trend-picture.tsx";

const i18n = {
  translate: words,
  formatDate: (date: Date) => longDate(date),
  formatNumber: (value: number, options?: Intl.NumberFormatOptions) =>
    value.toLocaleString("en-AU", options),
};

const longDate = (date: Date): string =>
  date.toLocaleDateString("en-AU", { dateStyle: "long", timeZone: "Australia/Sydney" });

const shortDate = (date: Date): string =>
  date.toLocaleDateString("en-AU", { dateStyle: "medium", timeZone: "Australia/Sydney" });

/**
 * One result in full: what the laboratory flagged first, open to the eye, then everything by category. A category
 * can stay closed: its line says how much of it lies outside, and all of that stands above.
 */
export function resultPage(
  result: ResultView,
  { base }: Place,
  documents: { id: string; name: string }[],
): Page {
  const { outside, categories } = arrangeResult(result.categories);
  return {
    title: result.title,
    status: 200,
    content: (
      <>
        <p>
          <a href={base || "/"}>{words("and_here.back")}</a>
        </p>
        {result.partial && (
          <Notice heading={words("result.partial")}>
            <p>{words("result.partial_next")}</p>
          </Notice>
        )}
        <Overview result={result} documents={documents} base={base} />
        {outside.length > 0 && (
          <section className="card" aria-labelledby="outside">
            <h2 id="outside">{words("result.outside", { number: outside.length })}</h2>
            <p className="quiet">{words("result.outside_next")}</p>
            <div>
              {outside.map(({ biomarker, category }) => (
                <Marker
                  key={biomarker.id}
                  biomarker={biomarker}
                  category={category}
                  result={result}
                />
              ))}
            </div>
          </section>
        )}
        <h2>{words("result.all")}</h2>
        {categories.map((category) => (
          <details key={category.id} className="card">
            <summary>
              <strong>{category.name}</strong>{" "}
              <span className={category.outside > 0 ? undefined : "quiet"}>
                {words(category.outside > 0 ? "values.outside" : "values.none_outside", {
                  outside: category.outside,
                  number: category.biomarkers.length,
                })}
              </span>
            </summary>
            {category.biomarkers.map((biomarker) =>
              biomarker.isAbnormal ? (
                <p key={biomarker.id} className="row above">
                  <a href={`#m-${biomarker.id}`}>{biomarker.name}</a>{" "}
                  <strong>{valueText(biomarker)}</strong>{" "}
                  <span>{words("values.above", { flag: words(flagKey(biomarker)) })}</span>
                </p>
              ) : (
                <QuietMarker key={biomarker.id} biomarker={biomarker} result={result} />
              ),
            )}
          </details>
        ))}
      </>
    ),
  };
}

function Overview({
  result,
  documents,
  base,
}: {
  result: ResultView;
  documents: { id: string; name: string }[];
  base: string;
}) {
  const { summary, resultDate } = result;
  return (
    <section className="card">
      <h2>{words("result.overview")}</h2>
      {resultDate && <p>{words("result.date", { date: longDate(new Date(resultDate)) })}</p>}
      {summary && (
        <>
          <ul className="plain">
            {summary.critical > 0 && (
              <li>
                <strong>{words("summary.critical", { number: summary.critical })}</strong>
              </li>
            )}
            <li>{words("summary.abnormal", { number: summary.abnormal })}</li>
            <li>{words("summary.normal", { number: summary.normal })}</li>
            <li>{words("summary.total", { number: summary.total })}</li>
          </ul>
          {/* Whoever has something urgent need not look for what that means. */}
          <details open={summary.critical > 0}>
            <summary>{words("values.counts")}</summary>
            <p className="quiet">{words("summary.meaning")}</p>
          </details>
        </>
      )}
      <p>{words("result.advice")}</p>
      <div className="actions">
        {documents.map(({ id, name }) => (
          <a key={id} className="button" href={`${base}/documents/${id}`}>
            {name}
          </a>
        ))}
      </div>
    </section>
  );
}

interface MarkerProps {
  biomarker: BiomarkerView;
  result: ResultView;
}

/** One measured thing in full; `category` says where it belongs. */
function Marker({ biomarker, result, category }: MarkerProps & { category: string }) {
  const { id, name, commonName } = biomarker;
  const subtitle = [commonName === name ? null : commonName, category].filter(Boolean).join(" · ");
  return (
    <div className="marker" id={`m-${id}`}>
      <div className="top">
        <h3>{name}</h3>
        <span className="badge bad">{words(flagKey(biomarker))}</span>
      </div>
      <p className="quiet">{subtitle}</p>
      <p className="value">{valueText(biomarker)}</p>
      <Ranges biomarker={biomarker} result={result} />
    </div>
  );
}

/** One that nobody flagged: a line, and the rest for whoever wants it. */
function QuietMarker({ biomarker, result }: MarkerProps) {
  const { id, name, commonName } = biomarker;
  return (
    <details className="row" id={`m-${id}`}>
      <summary>
        <span>{name}</span> <strong>{valueText(biomarker)}</strong>{" "}
        <span className="quiet">{words(flagKey(biomarker))}</span>
      </summary>
      {commonName !== name && <p className="quiet">{commonName}</p>}
      <Ranges biomarker={biomarker} result={result} />
    </details>
  );
}

const valueText = ({ formattedValue, value, unit }: BiomarkerView): string =>
  unitText(formattedValue || `${value} ${unit}`);

/** What a value is read against: its range, further ranges, earlier values, the laboratory's note. */
function Ranges({ biomarker, result }: MarkerProps) {
  const { value, unit, notes } = biomarker;
  const range = { low: biomarker.rangeLow, high: biomarker.rangeHigh };
  const expected = rangeText(i18n, range, unitText(unit));
  return (
    <>
      <RangeBar value={value} range={range} />
      {expected && <p className="quiet">{words("range.expected", { range: expected })}</p>}
      {biomarker.additionalRanges.length > 0 && (
        <>
          <p className="quiet">{words("range.additional")}</p>
          <ul>
            {biomarker.additionalRanges.map((one) => (
              <li key={one.id}>
                {words("range.named", {
                  name: one.name,
                  range: rangeText(i18n, one, unitText(unit)) ?? words("range.open"),
                })}
              </li>
            ))}
          </ul>
        </>
      )}
      {biomarker.history.length > 0 && (
        <Trend biomarker={biomarker} result={result} range={range} expected={expected} />
      )}
      {notes && <p>{words("result.note", { note: notes })}</p>}
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
      <rect x="2" y="2" width="96" height="4" fill="#d0d7de" />
      <rect
        x={2 + lowPercent * 0.96}
        y="2"
        width={(highPercent - lowPercent) * 0.96}
        height="4"
        fill="#57606a"
      />
      <rect
        x={at - 0.5}
        y="0"
        width="1"
        height="10"
        fill="#1f2328"
        stroke="#fff"
        strokeWidth="0.4"
      />
    </svg>
  );
}

/** Earlier values of the same person and this one, oldest first: a line where they are numbers, and a list. */
function Trend({
  biomarker,
  result,
  range,
  expected,
}: MarkerProps & { range: { low: number | null; high: number | null }; expected: string | null }) {
  const { id, name } = biomarker;
  const rows = [...biomarker.history, { ...biomarker, date: result.resultDate ?? "" }];
  return (
    <>
      <TrendPicture id={id} name={name} values={rows} range={range} expected={expected} />
      <details>
        <summary>{words("trend.list", { number: rows.length })}</summary>
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
                <td>{row.date ? shortDate(new Date(row.date)) : ""}</td>
                <td>{unitText(row.formattedValue)}</td>
                <td>{words(row.isAbnormal ? "flag.abnormal" : "flag.unflagged")}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </>
  );
}
