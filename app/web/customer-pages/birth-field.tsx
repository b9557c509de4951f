import { customerWords as words } from "../../modules/access/customer-words.ts";
import { BIRTH_PARTS, type BirthPart, faultyBirthParts, splitBirthParts } from "./birth-parts.ts";
import { Fault, faultOf } from "./field-fault.tsx";

/** The field's id that a fault of the date leads to. */
export const birthTarget = (date: string): string => `dob-${faultyBirthParts(date)[0] ?? "day"}`;

/**
 * The date of birth as three fields. Nobody has to scroll a calendar back by decades, and the sequence of day and month
 * does not depend on the browser's language.
 */
export function BirthField({ value, error }: { value: string; error: string | undefined }) {
  const parts = splitBirthParts(value);
  const faulty: BirthPart[] = error ? faultyBirthParts(value) : [];
  const { "aria-describedby": described } = faultOf("dob", error, "dob-hint");
  return (
    <fieldset className="pw-field" aria-describedby={described}>
      <legend>{words("form.fields.dob")}</legend>
      <p className="pw-quiet" id="dob-hint">
        {words("and_here.dob_hint")}
      </p>
      <div className="pw-parts">
        {BIRTH_PARTS.map((part) => (
          <div key={part} className={`pw-part-${part}`}>
            <label htmlFor={`dob-${part}`}>{words(`and_here.dob_part.${part}`)}</label>
            <input
              id={`dob-${part}`}
              name={`dob.${part}`}
              type="text"
              inputMode="numeric"
              autoComplete={`bday-${part}`}
              defaultValue={parts[part]}
              required
              aria-invalid={faulty.includes(part) ? true : undefined}
              aria-describedby={faulty.includes(part) ? "dob-error" : undefined}
            />
          </div>
        ))}
      </div>
      <Fault field="dob" error={error} />
    </fieldset>
  );
}
