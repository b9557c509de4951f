/** Long because each part of a result has its own way to be read, on the page and on paper. */
import type { ReactNode } from "react";
import { unitText } from "../../../extensions/shared/result/unit-text.ts";
import { unitLine } from "../../../extensions/shared/unit-name.ts";
import { arrangeResult } from "../../modules/access/arrange-values.ts";
import { customerWords as words } from "../../modules/access/customer-words.ts";
import type { BiomarkerView, ResultView } from "../../modules/access/open-result.ts";
import { type AlertView, callOf, presentAlert } from "../../modules/referrals/clinical-texts.ts";
import { flagBeside, flagOf } from "../../modules/referrals/range.ts";
import { wholePhones } from "../../platform/whole-phones.ts";
import { Notice, type Page } from "./page.tsx";
import type { PageContext } from "./page-context.ts";
import { Ranges, valuesOver } from "./ranges.tsx";
import { longDate } from "./show-date.ts";
import { trendLegend } from "./trend-picture.tsx";

/**
 * One result in full: what the laboratory flagged first, open to the eye, then everything by category. A category
 * can stay closed: its line says how much of it lies outside, and all of that stands above.
 */
export function resultPage(
  result: ResultView,
  { base }: Pick<PageContext, "base">,
  documents: { id: string; name: string }[],
  { isShared = false }: { isShared?: boolean } = {},
): Page {
  const arranged = arrangeResult(result.categories, result, flagOf);
  const { outside, categories, unclear, isCriticalUnnamed, isOneNumber } = arranged;
  const legendOf = (biomarkers: BiomarkerView[]) =>
    trendLegend(
      biomarkers.map((one) => ({
        values: valuesOver(one, result),
        range: { low: one.rangeLow, high: one.rangeHigh },
      })),
    );
  // Said once, above the first picture.
  const legend = legendOf(result.categories.flatMap(({ biomarkers }) => biomarkers));
  const isAbove = legendOf(outside.map(({ biomarker }) => biomarker)) !== null;
  const advice = presentAlert(result.alert, result.contact);
  const alert = advice && isShared ? alertForDoctor(advice, result) : advice;
  const part = result.part && words(`part.${result.part}`);
  return {
    title: part ? words("part.of", { title: result.title, part }) : result.title,
    tab: words("and_here.tab.result"),
    status: 200,
    content: (
      <Sheets result={result}>
        {!isShared && (
          <p>
            <a className="pw-way" href={base || "/"}>
              {words("and_here.back")}
            </a>
          </p>
        )}
        <Patient result={result} />
        {alert && <Alert alert={alert} />}
        {result.correctedAt && (
          <Notice heading={words("result.corrected")}>
            <p>
              {words(isShared ? "share.corrected_next" : "result.corrected_next", {
                date: longDate(result.correctedAt, result.timeZone),
              })}
            </p>
          </Notice>
        )}
        {result.partial && (
          <Notice heading={words("result.partial")}>
            <p>{words("result.partial_next")}</p>
          </Notice>
        )}
        <Overview
          result={result}
          documents={documents}
          base={base}
          isShared={isShared}
          arranged={arranged}
        />
        {outside.length > 0 && (
          <section className="pw-card" aria-labelledby="outside">
            <h2 id="outside">{words("result.outside", { number: outside.length })}</h2>
            {isCriticalUnnamed && <p>{words("result.unclear_critical")}</p>}
            {!alert && !unclear && !isShared && isOneNumber && (
              <p className="pw-quiet">{words("result.outside_next")}</p>
            )}
            {isAbove && <p className="pw-quiet">{legend}</p>}
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
        <Others result={result} base={base} />
        {categories.length > 0 && <h2>{words("result.all")}</h2>}
        {legend && !isAbove && <p className="pw-quiet">{legend}</p>}
        {categories.map((category) => (
          <details key={category.id} className="pw-card">
            <summary>
              <strong>{category.name}</strong>{" "}
              <span className={category.outside > 0 ? undefined : "pw-quiet"}>
                {words(`values.${category.says}`, {
                  outside: category.outside,
                  number: category.biomarkers.length,
                })}
              </span>
            </summary>
            {category.biomarkers.map((biomarker) =>
              biomarker.isAbnormal ? (
                <p key={biomarker.id} className="pw-row pw-above">
                  <a href={`#m-${biomarker.id}`}>{biomarker.name}</a>{" "}
                  <strong className="pw-said">{valueText(biomarker)}</strong>{" "}
                  <span>{words("values.above", { flag: words(`flag.${flagOf(biomarker)}`) })}</span>
                </p>
              ) : (
                <QuietMarker
                  key={biomarker.id}
                  biomarker={biomarker}
                  result={result}
                  isUnclear={unclear !== null}
                />
              ),
            )}
          </details>
        ))}
      </Sheets>
    ),
  };
}

/** Tells whoever treats the patient what is marked, and what the patient was advised: that advice is not theirs. */
const alertForDoctor = (advice: AlertView, { contact }: ResultView): AlertView => ({
  ...advice,
  heading: words(`share.${advice.level}`, { count: advice.count }),
  text: words("share.advised", { heading: advice.heading }),
  actions: callOf(contact),
});

/** Names the patient on each sheet of a print, because sheets come apart. The page itself has said it to a screen reader. */
function Sheets({ result, children }: { result: ResultView; children: ReactNode }) {
  const { patient, title, timeZone } = result;
  return (
    <div className="pw-sheets">
      {patient && (
        <div className="pw-each" aria-hidden="true">
          {words("result.patient", { name: patient.name, dob: longDate(patient.dob, timeZone) })} ·{" "}
          {title}
        </div>
      )}
      <div className="pw-rest">{children}</div>
    </div>
  );
}

/** Names the patient before any figure, because families share a screen. */
function Patient({ result: { patient, unit, timeZone } }: { result: ResultView }) {
  if (!patient) return null;
  const dob = longDate(patient.dob, timeZone);
  const several = unit && unitLine({ title: "", orderName: "", inOrder: unit }, words);
  return (
    <p>
      <strong>{words("result.patient", { name: patient.name, dob })}</strong>
      {several && ` · ${several}`}
    </p>
  );
}

/** Leads to results that came beside this one: the list of tests leads to the newest alone. */
function Others({ result: { others, timeZone }, base }: { result: ResultView; base: string }) {
  if (others.length === 0) return null;
  return (
    <section className="pw-card" aria-labelledby="others">
      <h2 id="others">{words("result.others")}</h2>
      <ul>
        {others.map(({ id, reportedOn }) => (
          <li key={id}>
            <a className="pw-call" href={`${base}/results/${id}`}>
              {reportedOn
                ? words("result.other", { date: longDate(reportedOn, timeZone) })
                : words("result.other_undated")}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** First on the page, and nothing beneath it takes anything back. */
function Alert({ alert }: { alert: AlertView }) {
  return (
    <section className="pw-notice pw-bad" role="alert" aria-labelledby="alert">
      <h2 id="alert">{alert.heading}</h2>
      <p>
        <strong>{wholePhones(alert.text)}</strong>
      </p>
      <ul className="pw-plain">
        {alert.actions.map(({ label, href }) => (
          <li key={label}>
            {href ? (
              <a className="pw-call" href={href}>
                {wholePhones(label)}
              </a>
            ) : (
              wholePhones(label)
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Overview({
  result,
  documents,
  base,
  isShared,
  arranged: { counts, unclear },
}: {
  result: ResultView;
  documents: { id: string; name: string }[];
  base: string;
  isShared: boolean;
  /** Counted in the list beneath, so that one page says one number. */
  arranged: Pick<ReturnType<typeof arrangeResult>, "counts" | "unclear">;
}) {
  const { summary, resultDate } = result;
  const number = result.categories.flatMap((category) => category.biomarkers).length;
  return (
    <section className="pw-card">
      <h2>{words("result.overview")}</h2>
      {resultDate && <p>{words("result.date", { date: longDate(resultDate, result.timeZone) })}</p>}
      {number === 0 && <p>{words("values.in_report")}</p>}
      {summary && number > 0 && (
        <>
          <ul className="pw-plain">
            {!unclear && (
              <>
                <li>{words("summary.abnormal", { number: counts.outside })}</li>
                {counts.within > 0 && <li>{words("summary.normal", { number: counts.within })}</li>}
                {counts.unflagged > 0 && (
                  <li>{words("summary.unflagged", { number: counts.unflagged })}</li>
                )}
                {counts.see_report > 0 && (
                  <li>{words("summary.see_report", { number: counts.see_report })}</li>
                )}
              </>
            )}
            <li>{words("summary.total", { number })}</li>
          </ul>
          {!result.alert && !unclear && (
            <details>
              <summary>{words("summary.counts")}</summary>
              <p className="pw-quiet">{words("summary.meaning")}</p>
            </details>
          )}
        </>
      )}
      {!result.alert && !isShared && <p>{words("result.advice")}</p>}
      {unclear && <p>{words(`result.unclear_${unclear}`)}</p>}
      <div className="pw-actions">
        {documents.map(({ id, name }) => (
          <a key={id} className="pw-button" href={`${base}/documents/${id}`}>
            {name}
          </a>
        ))}
        {!isShared && (
          <a className="pw-button" href={`${base}/results/${result.id}/shares`}>
            {words("share.link")}
          </a>
        )}
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
    <div className="pw-marker" id={`m-${id}`}>
      <div className="pw-top">
        <h3>{name}</h3>
        <span className="pw-badge pw-bad">{words(`flag.${flagOf(biomarker)}`)}</span>
      </div>
      <p className="pw-quiet">{subtitle}</p>
      <p className="pw-value pw-said">{valueText(biomarker)}</p>
      <Ranges biomarker={biomarker} result={result} />
    </div>
  );
}

/** Shows an unflagged marker as a line, with the rest behind it. */
function QuietMarker({ biomarker, result, isUnclear }: MarkerProps & { isUnclear: boolean }) {
  const { id, name, commonName } = biomarker;
  return (
    <details className="pw-row" id={`m-${id}`}>
      <summary>
        <span>{name}</span> <strong className="pw-said">{valueText(biomarker)}</strong>{" "}
        <span className="pw-quiet">{words(`flag.${flagBeside(biomarker, isUnclear)}`)}</span>
      </summary>
      {commonName !== name && <p className="pw-quiet">{commonName}</p>}
      <Ranges biomarker={biomarker} result={result} />
    </details>
  );
}

const valueText = ({ formattedValue, value, unit }: BiomarkerView): string =>
  unitText(formattedValue || `${value} ${unit}`);
