import type { JSX } from "preact";
import { useWords } from "./app-context.ts";
import { typedValue } from "./field-event.ts";
import { AUSTRALIAN_STATES, nameOf, type PatientField } from "./patient-fields.ts";

interface Props {
  field: PatientField;
  value: string;
  error: string | undefined;
  disabled: boolean;
  required: boolean;
  /** `done` is false while the shopper still types. */
  onValue: (value: string, done: boolean) => void;
}

const AUTOCOMPLETE: Partial<Record<string, JSX.IntrinsicElements["s-text-field"]["autocomplete"]>> =
  {
    firstName: "given-name",
    lastName: "family-name",
    "address.addressLine1": "address-line1",
    "address.addressLine2": "address-line2",
    "address.city": "address-level2",
    "address.postCode": "postal-code",
  };

/**
 * One question of the patient form, as the element that suits it; a date as three. `s-number-field` would drop the zero of postcode 0800, so
 * other digits are text.
 */
export function PatientFieldInput({ field, value, error, disabled, required, onValue }: Props) {
  const words = useWords();
  /** Year, month and day of a date; the one text of any other answer. */
  const parts = field === "dob" ? value.split("-") : [value];
  const take = (at: number, done: boolean) => (event: Event) => {
    parts[at] = typedValue(event);
    onValue(parts.join("-"), done);
  };
  const common = {
    name: field,
    label: words(`form.fields.${nameOf(field)}`),
    value,
    error,
    disabled,
    required,
    onInput: take(0, false),
    onChange: take(0, true),
  };
  const { onInput: _, ...choice } = common;
  switch (field) {
    case "dob":
      // Nobody has to turn a calendar back by decades, and the sequence does not depend on the reader's language.
      return [2, 1, 0].map((at) => (
        <s-number-field
          {...common}
          key={at}
          name={field + at}
          label={words(`form.birth.${at}`)}
          value={parts[at] || ""}
          error={at > 1 ? error : undefined}
          inputMode="numeric"
          controls="none"
          onInput={take(at, false)}
          onChange={take(at, true)}
        />
      ));
    case "email":
      return <s-email-field {...common} autocomplete="email" />;
    case "phone":
      return <s-phone-field {...common} autocomplete="tel" />;
    case "gender":
      return (
        <s-select {...choice} placeholder={words("form.choose")}>
          <s-option value="female">{words("form.gender.female")}</s-option>
          <s-option value="male">{words("form.gender.male")}</s-option>
        </s-select>
      );
    case "address.state":
      return (
        <s-select {...choice} placeholder={words("form.choose")} autocomplete="address-level1">
          {AUSTRALIAN_STATES.map((state) => (
            <s-option key={state} value={state}>
              {state}
            </s-option>
          ))}
        </s-select>
      );
    default:
      return <s-text-field {...common} autocomplete={AUTOCOMPLETE[field] || "off"} />;
  }
}
