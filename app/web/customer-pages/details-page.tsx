import {
  AUSTRALIAN_STATES,
  fieldsOf,
  isRequired,
  type PatientErrors,
  type PatientField,
  type PatientValues,
} from "../../../extensions/shared/patient-fields.ts";
import { customerWords as words } from "../../modules/access/customer-words.ts";
import type { CollectionNotice } from "../../modules/patients/collection-notice.ts";
import { Notice, type Page } from "./page.tsx";
import { FORM_TOKEN, type PageContext } from "./page-context.ts";

const KINDS: Partial<Record<PatientField, { type?: string; autoComplete: string; hint?: string }>> =
  {
    firstName: { autoComplete: "given-name" },
    lastName: { autoComplete: "family-name" },
    dob: { type: "date", autoComplete: "bday" },
    email: { type: "email", autoComplete: "email" },
    phone: { type: "tel", autoComplete: "tel", hint: "and_here.phone_hint" },
    "address.addressLine1": { autoComplete: "address-line1" },
    "address.addressLine2": { autoComplete: "address-line2" },
    "address.city": { autoComplete: "address-level2" },
    "address.postCode": { autoComplete: "postal-code" },
  };

export interface DetailsForm {
  title: string;
  values: PatientValues;
  errors: PatientErrors;
  /** Refusals that belong to no field. */
  others: string[];
  needsMedicare: boolean;
  status: number;
  notice: CollectionNotice | null;
  /** The details are known to the service already: a new form will replace the former. */
  corrects?: boolean;
}

/** The patient's form: the questions of the extension's, in its sequence. Faults stand at their fields. */
export function detailsPage(form: DetailsForm, context: PageContext): Page {
  const { title, values, errors, others, needsMedicare, status } = form;
  const faults = Object.entries(errors);
  return {
    title: words("form.heading", { title }),
    status,
    content: (
      <>
        {(faults.length > 0 || others.length > 0) && (
          <Notice bad heading={words("form.check")}>
            <ul>
              {faults.map(([field, message]) => (
                <li key={field}>
                  <a href={`#${field}`}>{message}</a>
                </li>
              ))}
              {others.map((message) => (
                <li key={message}>{message}</li>
              ))}
            </ul>
          </Notice>
        )}
        {form.corrects && <p>{words("form.correct_notice")}</p>}
        {(form.notice?.paragraphs ?? [words("form.notice")]).map((paragraph) => (
          <p key={paragraph}>{paragraph}</p>
        ))}
        {/* The app says what is wrong, in words that stay. */}
        <form method="post" noValidate autoComplete="on">
          <input type="hidden" name={FORM_TOKEN} value={context.formToken} />
          {fieldsOf(needsMedicare).map((field) => (
            <Field key={field} field={field} value={values[field]} error={errors[field]} />
          ))}
          <div className="field">
            <div className="tick">
              <input
                type="checkbox"
                id="consent"
                name="consent"
                value="yes"
                defaultChecked={values.consent}
                {...faultOf("consent", errors.consent)}
              />
              <label htmlFor="consent">{form.notice?.consent ?? words("form.consent")}</label>
            </div>
            <Fault field="consent" error={errors.consent} />
          </div>
          <div className="actions">
            <button type="submit" className="first">
              {words("form.save")}
            </button>
            <a className="button" href={context.base || "/"}>
              {words("form.back")}
            </a>
          </div>
        </form>
      </>
    ),
  };
}

function Field({
  field,
  value,
  error,
}: {
  field: PatientField;
  value: string;
  error: string | undefined;
}) {
  const name = field.split(".").at(-1) ?? field;
  const kind = KINDS[field];
  const common = {
    id: field,
    name: field,
    defaultValue: value,
    required: isRequired(field),
    ...faultOf(field, error, kind?.hint ? `${field}-hint` : undefined),
  };
  return (
    <div className="field">
      <label htmlFor={field}>{words(`form.fields.${name}`)}</label>
      {field === "gender" ? (
        <select {...common}>
          <option value="">{words("form.choose")}</option>
          <option value="female">{words("form.gender.female")}</option>
          <option value="male">{words("form.gender.male")}</option>
        </select>
      ) : field === "address.state" ? (
        <select {...common} autoComplete="address-level1">
          <option value="">{words("form.choose")}</option>
          {AUSTRALIAN_STATES.map((state) => (
            <option key={state}>{state}</option>
          ))}
        </select>
      ) : (
        <input {...common} type={kind?.type ?? "text"} autoComplete={kind?.autoComplete ?? "off"} />
      )}
      {kind?.hint && (
        <p className="quiet" id={`${field}-hint`}>
          {words(kind.hint)}
        </p>
      )}
      <Fault field={field} error={error} />
    </div>
  );
}

function faultOf(field: string, error: string | undefined, hint?: string) {
  const described = [error ? `${field}-error` : null, hint ?? null].filter(Boolean).join(" ");
  return {
    "aria-invalid": error ? true : undefined,
    "aria-describedby": described || undefined,
  };
}

function Fault({ field, error }: { field: string; error: string | undefined }) {
  return error ? (
    <p className="error" id={`${field}-error`}>
      {error}
    </p>
  ) : null;
}
