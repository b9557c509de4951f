import { useApp, useWords } from "../../shared/app-context.ts";
import { DocumentButtons } from "../../shared/document-buttons.tsx";
import { FailureNotice, LoadingNotice } from "../../shared/notices.tsx";
import type { TestDocument } from "../../shared/requests.ts";
import { showDate } from "../../shared/show-date.ts";
import { BiomarkerRow, QuietBiomarker } from "./biomarker-row.tsx";
import { flagOf, type Result } from "./result.ts";
import { Shares } from "./shares.tsx";
import { useResult } from "./use-result.ts";

interface Props {
  resultId: string;
  /** The report as PDF, in its versions. */
  documents: TestDocument[];
  /** Leads to another result; null: back to the list. */
  onOpen: (resultId: string | null) => void;
}

/** One result in full, by category. */
export function ResultView({ resultId, documents, onOpen }: Props) {
  const words = useWords();
  const { i18n } = useApp().host;
  const { result, failure, reload } = useResult(resultId);
  return (
    <s-page
      heading={result?.title ?? words("result.heading")}
      subheading={[
        result?.part ? words(`part.${result.part}`) : null,
        result?.unit && result.unit.of > 1 ? words("unit.several", result.unit) : null,
      ]
        .filter(Boolean)
        .join(" · ")}
    >
      <s-stack gap="large">
        <s-stack direction="inline">
          <s-button onClick={() => onOpen(null)}>{words("result.back")}</s-button>
        </s-stack>
        {failure && <FailureNotice failure={failure} onRetry={reload} />}
        {!result && !failure && <LoadingNotice of="result.loading" />}
        {result && (
          <>
            {result.patient && (
              <s-text type="strong">
                {words("result.patient", {
                  name: result.patient.name,
                  dob: showDate(i18n, result.patient.dob, result.timeZone, "long"),
                })}
              </s-text>
            )}
            {result.alert && <Alert alert={result.alert} />}
            <Overview result={result} documents={documents} />
            <Others result={result} onOpen={onOpen} />
            <Values result={result} />
            <Shares resultId={resultId} timeZone={result.timeZone} />
          </>
        )}
      </s-stack>
    </s-page>
  );
}

/** Leads to results that came beside this one: the list of tests leads to the newest alone. */
function Others({ result, onOpen }: { result: Result } & Pick<Props, "onOpen">) {
  const words = useWords();
  const { i18n } = useApp().host;
  const others = result.others ?? [];
  if (others.length === 0) return null;
  return (
    <s-section heading={words("result.others")}>
      {others.map(({ id, reportedOn }) => (
        <s-button key={id} onClick={() => onOpen(id)}>
          {reportedOn
            ? words("result.other", {
                date: showDate(i18n, reportedOn, result.timeZone, "long"),
              })
            : words("result.other_undated")}
        </s-button>
      ))}
    </s-section>
  );
}

/** First on the page, and nothing beneath it takes anything back. */
function Alert({ alert }: { alert: NonNullable<Result["alert"]> }) {
  return (
    <s-banner tone="critical" heading={alert.heading}>
      <s-stack gap="small">
        <s-text type="strong">{alert.text}</s-text>
        {alert.actions.map(({ label, href }) => (
          <s-link key={href} href={href}>
            {label}
          </s-link>
        ))}
      </s-stack>
    </s-banner>
  );
}

/**
 * Shows flagged values first, open to the eye, then everything by category. Each category can stay closed: its line
 * says how many of its values lie outside, and all of those stand above.
 */
function Values({ result }: { result: Result }) {
  const words = useWords();
  const { categories, reading } = result;
  const outside = categories.flatMap(({ name: category, biomarkers }) =>
    biomarkers.filter(({ isAbnormal }) => isAbnormal).map((biomarker) => ({ biomarker, category })),
  );
  // Where fewer are flagged than are critical, the overview says so.
  const isCriticalUnnamed =
    result.alert?.level === "critical" && outside.length > result.alert.count;
  return (
    <>
      {outside.length > 0 && (
        <s-section heading={words("result.outside", { number: outside.length })}>
          <s-stack gap="base">
            {isCriticalUnnamed && <s-paragraph>{words("result.unclear_critical")}</s-paragraph>}
            {!result.alert && reading?.isOneNumber && !reading.unclear && (
              <s-text color="subdued">{words("result.outside_next")}</s-text>
            )}
            <s-stack gap="large" accessibilityRole="unordered-list">
              {outside.map(({ biomarker, category }) => (
                <BiomarkerRow
                  key={biomarker.id}
                  biomarker={biomarker}
                  category={category}
                  result={result}
                />
              ))}
            </s-stack>
          </s-stack>
        </s-section>
      )}
      <s-section heading={words("result.all")}>
        <s-stack gap="small">
          {categories.map((category) => (
            <s-details key={category.id}>
              <s-summary>
                {words(`result.category_${category.says ?? "number"}`, {
                  name: category.name,
                  outside: category.outside ?? 0,
                  number: category.biomarkers.length,
                })}
              </s-summary>
              <s-stack gap="small">
                {category.biomarkers.map((biomarker) =>
                  biomarker.isAbnormal ? (
                    <s-text key={biomarker.id}>
                      {words("result.listed_above", {
                        name: biomarker.name,
                        flag: words(`flag.${flagOf(biomarker)}`),
                      })}
                    </s-text>
                  ) : (
                    <QuietBiomarker key={biomarker.id} biomarker={biomarker} result={result} />
                  ),
                )}
              </s-stack>
            </s-details>
          ))}
        </s-stack>
      </s-section>
    </>
  );
}

function Overview({ result, documents }: { result: Result; documents: TestDocument[] }) {
  const { i18n } = useApp().host;
  const words = useWords();
  const biomarkers = result.categories.flatMap((category) => category.biomarkers);
  // Counted in the list beneath, so that one page says one number.
  const { reading } = result;
  const counts = reading?.unclear ? null : reading?.counts;
  const counted =
    counts &&
    ([
      ["summary.abnormal", counts.outside],
      ["summary.normal", counts.within],
      ["summary.unflagged", counts.unflagged],
      ["summary.see_report", counts.see_report],
    ] as const);
  const { resultDate, timeZone } = result;
  return (
    <s-section heading={words("result.overview")}>
      <s-stack gap="base">
        {result.correctedAt && (
          <s-banner tone="warning" heading={words("result.corrected")}>
            <s-paragraph>
              {words("result.corrected_next", {
                date: showDate(i18n, result.correctedAt, timeZone, "long"),
              })}
            </s-paragraph>
          </s-banner>
        )}
        {result.partial && (
          <s-banner tone="info" heading={words("result.partial")}>
            <s-paragraph>{words("result.partial_next")}</s-paragraph>
          </s-banner>
        )}
        {resultDate && (
          <s-paragraph>
            {words("result.date", {
              date: showDate(i18n, resultDate, timeZone, "long"),
            })}
          </s-paragraph>
        )}
        {result.summary && (
          <s-unordered-list>
            {counted
              ?.filter(([key, number]) => number > 0 || key === "summary.abnormal")
              .map(([key, number]) => (
                <s-list-item key={key}>{words(key, { number })}</s-list-item>
              ))}
            <s-list-item>{words("summary.total", { number: biomarkers.length })}</s-list-item>
          </s-unordered-list>
        )}
        {result.summary && !result.alert && counted && (
          <s-details>
            <s-summary>{words("summary.counts")}</s-summary>
            <s-text color="subdued">{words("summary.meaning")}</s-text>
          </s-details>
        )}
        {reading?.unclear && (
          <s-paragraph>{words(`result.unclear_${reading.unclear}`)}</s-paragraph>
        )}
        {!result.alert && <s-paragraph>{words("result.advice")}</s-paragraph>}
        <DocumentButtons documents={documents} title={result.title} />
      </s-stack>
    </s-section>
  );
}
