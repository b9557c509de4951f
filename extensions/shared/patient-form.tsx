import { Fragment } from "preact";
import { useRef, useState } from "preact/hooks";
import { useApp, useWords } from "./app-context.ts";
import { isTicked } from "./field-event.ts";
import { FailureNotice } from "./notices.tsx";
import { PatientFieldInput } from "./patient-field.tsx";
import {
  detailsOf,
  errorsByField,
  fieldsOf,
  isRequired,
  nameOf,
  type PatientErrors,
  startingValues,
} from "./patient-fields.ts";
import type { Prefill, TestRequest } from "./requests.ts";
import { unitName } from "./unit-name.ts";
import { useAnswer } from "./use-answer.ts";

interface Props {
  request: TestRequest;
  prefill: Prefill | null;
  /** The details are known to the service already: a new form will replace the former. */
  corrects?: boolean;
  onSaved: (request: TestRequest) => void;
  onBack: () => void;
}

/** The notice: what decides in sight, the rest one press away. */
function NoticeLayers({ notice }: Pick<TestRequest, "notice">) {
  const words = useWords();
  const lines = (notice?.paragraphs ?? [words("form.notice")]).map((paragraph) => (
    <s-paragraph key={paragraph}>{paragraph}</s-paragraph>
  ));
  const inSight = notice?.inSight ?? lines.length;
  const below = lines.slice(inSight);
  return (
    <>
      {lines.slice(0, inSight)}
      {below[0] && (
        <s-details>
          <s-summary>{words("form.notice_rest")}</s-summary>
          <s-stack gap="small">{below}</s-stack>
        </s-details>
      )}
    </>
  );
}

/**
 * Asks for everything that a referral form needs and saves it. What is typed lives in a ref and the elements are told
 * of it when a question is done: setting `value` at each keystroke would race with the typing, as the page with the
 * real fields is on the far side of a worker.
 */
export function PatientForm({ request, prefill, corrects, onSaved, onBack }: Props) {
  const { api } = useApp();
  const words = useWords();
  const needsMedicare = request.needsMedicare === true;
  const values = useRef(startingValues(prefill));
  const [, redraw] = useState({});
  const [notice, setNotice] = useState(request.notice);
  const [errors, setErrors] = useState<PatientErrors>({});
  const [others, setOthers] = useState<string[]>([]);
  const [, load, failure, loading] = useAnswer(async () => {
    setOthers([]);
    // The app judges every field at once, so that nobody goes through two rounds of faults.
    setErrors({});
    const outcome = await api.savePatient(request.id, {
      ...detailsOf(values.current, needsMedicare),
      notice: notice?.id,
    });
    if (outcome.ok) onSaved(outcome.value);
    else if (outcome.failure.kind === "invalid") {
      const refused = errorsByField(outcome.failure.errors, needsMedicare);
      // Somebody who is to read other words ticks the box anew.
      if (outcome.failure.notice) setNotice(outcome.failure.notice);
      if (refused.errors.consent) values.current.consent = false;
      setErrors(refused.errors);
      setOthers(refused.others);
    }
    return outcome;
  });
  const submit = () => void load();

  const faults = [...Object.entries(errors), ...others.map((message) => ["", message] as const)];
  return (
    <s-form onSubmit={submit}>
      <s-stack gap="base">
        <s-heading>{words("form.heading", { title: unitName(request, words) })}</s-heading>
        {corrects && <s-paragraph>{words("form.correct_notice")}</s-paragraph>}
        <NoticeLayers notice={notice} />
        {faults[0] && (
          <s-banner tone="critical" heading={words("form.check")}>
            <s-unordered-list>
              {faults.map(([field, message]) => (
                <s-list-item key={field + message}>
                  {field
                    ? words("form.fault", { field: words(`form.fields.${nameOf(field)}`), message })
                    : message}
                </s-list-item>
              ))}
            </s-unordered-list>
          </s-banner>
        )}
        {fieldsOf(needsMedicare).map((field) => (
          <Fragment key={field}>
            <PatientFieldInput
              field={field}
              required={isRequired(field) && !(field === "firstName" && values.current.hasOneName)}
              value={values.current[field]}
              error={errors[field]}
              disabled={loading}
              onValue={(value, done) => {
                values.current[field] = value;
                if (done) redraw({});
              }}
            />
            {field === "lastName" && (
              <s-checkbox
                name="hasOneName"
                label={words("form.one_name")}
                checked={values.current.hasOneName}
                disabled={loading}
                onChange={(event) => {
                  values.current.hasOneName = isTicked(event);
                  redraw({});
                }}
              />
            )}
            {field === "medicareIrn" && <s-text color="subdued">{words("form.irn_hint")}</s-text>}
          </Fragment>
        ))}
        <s-checkbox
          name="consent"
          label={notice?.consent ?? words("form.consent")}
          checked={values.current.consent}
          error={errors.consent}
          disabled={loading}
          required
          onChange={(event) => {
            values.current.consent = isTicked(event);
            redraw({});
          }}
        />
        {failure && failure.kind !== "invalid" && (
          <FailureNotice failure={failure} onRetry={submit} />
        )}
        <s-stack direction="inline" gap="small">
          <s-button type="submit" variant="primary" loading={loading} disabled={loading}>
            {words(loading ? "form.saving" : "form.save")}
          </s-button>
          <s-button disabled={loading} onClick={onBack}>
            {words("form.back")}
          </s-button>
        </s-stack>
      </s-stack>
    </s-form>
  );
}
