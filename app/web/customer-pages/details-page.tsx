import { Fragment } from "react";
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
import { BirthField, birthTarget } from "./birth-field.tsx";
import { Fault, faultOf } from "./field-fault.tsx";
import { MedicareCardPicture } from "./medicare-card-picture.tsx";
import { Notice, type Page } from "./page.tsx";
import { FORM_TOKEN, type PageContext } from "./page-context.ts";
import { ChooseSaved, KeepDetails, type SavedChoice } from "./saved-patients-page.tsx";

interface Kind {
  type?: string;
  /** Digits are typed on a keypad, and stay text: postcode 0800 begins with a zero. */
  inputMode?: "numeric";
  autoComplete?: string;
  hint?: string;
  /** A narrow field says how much is expected. */
  size?: "short" | "medium";
}

const KINDS: Partial<Record<PatientField, Kind>> = {
  firstName: { autoComplete: "given-name" },
  lastName: { autoComplete: "family-name" },
  email: { type: "email", autoComplete: "email" },
  phone: { type: "tel", autoComplete: "tel", hint: "and_here.phone_hint", size: "medium" },
  "address.addressLine1": { autoComplete: "address-line1" },
  "address.addressLine2": { autoComplete: "address-line2" },
  "address.city": { autoComplete: "address-level2" },
  "address.postCode": { autoComplete: "postal-code", inputMode: "numeric", size: "short" },
  medicareCardNumber: { inputMode: "numeric", hint: "and_here.card_hint", size: "medium" },
  medicareIrn: { inputMode: "numeric", hint: "form.irn_hint", size: "short" },
};

/** Names the notice that was read. */
export const NOTICE_FIELD = "notice";

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
  /** The values were typed on an earlier visit and not accepted. */
  isKept?: boolean;
  /** The people whose details can fill in the form. */
  saved?: SavedChoice;
}

/** The patient's form: the questions of the extension's, in its sequence. Faults stand at their fields. */
export function detailsPage(form: DetailsForm, context: PageContext): Page {
  const { title, values, errors, others, needsMedicare, status } = form;
  return {
    title: words("form.heading", { title }),
    tab: words("and_here.tab.details"),
    status,
    isError: Object.keys(errors).length > 0 || others.length > 0,
    content: (
      <>
        <ErrorSummary form={form} />
        {form.isKept && (
          <Notice heading={words("and_here.kept")}>
            <p>{words("and_here.kept_next")}</p>
          </Notice>
        )}
        {form.saved && <ChooseSaved saved={form.saved} />}
        {form.corrects && <p>{words("form.correct_notice")}</p>}
        <NoticeLayers notice={form.notice} />
        {/* The app says what is wrong, in words that stay. */}
        <form method="post" noValidate autoComplete="on">
          <input type="hidden" name={FORM_TOKEN} value={context.formToken} />
          {form.notice && <input type="hidden" name={NOTICE_FIELD} value={form.notice.id} />}
          {fieldsOf(needsMedicare).map((field) => (
            <Fragment key={field}>
              {field === "medicareCardNumber" && <MedicareCardPicture />}
              <Field field={field} values={values} error={errors[field]} />
              {field === "lastName" && <OneName isTicked={values.hasOneName} />}
            </Fragment>
          ))}
          {form.saved?.keeping && <KeepDetails keeping={form.saved.keeping} />}
          <div className="pw-field">
            <div className="pw-tick">
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
          <p className="pw-quiet">{words("and_here.no_answer")}</p>
          <div className="pw-actions">
            <button type="submit" className="pw-first">
              {words("form.save")}
            </button>
            <a className="pw-button" href={context.base || "/"}>
              {words("form.back")}
            </a>
          </div>
        </form>
      </>
    ),
  };
}

/** The notice: what decides in sight, the rest one press away. On paper all of it is there. */
function NoticeLayers({ notice }: { notice: CollectionNotice | null }) {
  const { paragraphs, inSight } = notice ?? { paragraphs: [words("form.notice")], inSight: 1 };
  const below = paragraphs.slice(inSight);
  return (
    <>
      {paragraphs.slice(0, inSight).map((paragraph) => (
        <p key={paragraph}>{paragraph}</p>
      ))}
      {below.length > 0 && (
        <details>
          <summary>{words("form.notice_rest")}</summary>
          {below.map((paragraph) => (
            <p key={paragraph}>{paragraph}</p>
          ))}
        </details>
      )}
    </>
  );
}

/** Every fault in the sequence of the fields, each leading to its field. It gets the focus, without script. */
function ErrorSummary({ form: { values, errors, others } }: { form: DetailsForm }) {
  const faults = Object.entries(errors);
  if (faults.length === 0 && others.length === 0) return null;
  return (
    <Notice bad focused heading={words("form.check")}>
      <ul className="pw-plain">
        {faults.map(([field, message]) => {
          const [what = "", ...advice] = message.split(/(?<=\.) /);
          return (
            <li key={field}>
              <a href={`#${field === "dob" ? birthTarget(values.dob) : field}`}>{what}</a>{" "}
              {advice.join(" ")}
            </li>
          );
        })}
        {others.map((message) => (
          <li key={message}>{message}</li>
        ))}
      </ul>
    </Notice>
  );
}

const OneName = ({ isTicked }: { isTicked: boolean }) => (
  <div className="pw-field">
    <div className="pw-tick">
      <input
        type="checkbox"
        id="hasOneName"
        name="hasOneName"
        value="yes"
        defaultChecked={isTicked}
      />
      <label htmlFor="hasOneName">{words("form.one_name")}</label>
    </div>
  </div>
);

interface FieldProps {
  field: PatientField;
  values: PatientValues;
  error: string | undefined;
}

function Field({ field, values, error }: FieldProps) {
  const name = field.split(".").at(-1) ?? field;
  const kind = KINDS[field];
  if (field === "dob") return <BirthField value={values.dob} error={error} />;
  const common = {
    id: field,
    name: field,
    defaultValue: values[field],
    // Whether the first name is needed depends on the tick below it, which only the app can judge without script.
    required: isRequired(field) && field !== "firstName",
    ...faultOf(field, error, kind?.hint ? `${field}-hint` : undefined),
  };
  return (
    <div className="pw-field">
      <label htmlFor={field}>{words(`form.fields.${name}`)}</label>
      {kind?.hint && (
        <p className="pw-quiet" id={`${field}-hint`}>
          {words(kind.hint)}
        </p>
      )}
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
        <input
          {...common}
          className={kind?.size && `pw-${kind.size}`}
          type={kind?.type ?? "text"}
          inputMode={kind?.inputMode}
          autoComplete={kind?.autoComplete ?? "off"}
        />
      )}
      <Fault field={field} error={error} />
    </div>
  );
}
