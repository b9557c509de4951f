import { useWords } from "./app-context.ts";
import { typedValue } from "./field-event.ts";
import { AUSTRALIAN_STATES, type PatientField } from "./patient-fields.ts";

interface Props {
  field: PatientField;
  value: string;
  error: string | undefined;
  disabled: boolean;
  required: boolean;
  /** `done` is false while the shopper still types. */
  onValue: (value: string, done: boolean) => void;
}

const AUTOCOMPLETE = {
  firstName: "given-name",
  lastName: "family-name",
  "address.addressLine1": "address-line1",
  "address.addressLine2": "address-line2",
  "address.city": "address-level2",
  "address.postCode": "postal-code",
  medicareCardNumber: "off",
  medicareIrn: "off",
  dvaNumber: "off",
} as const;

/**
 * One question of the patient form, as the element that suits it. The date field takes a typed date as well as a chosen one, and
 * no element has three parts with numeric keys. `s-number-field` would drop the zero of postcode 0800, so digits are text.
 */
export function PatientFieldInput({ field, value, error, disabled, required, onValue }: Props) {
  const words = useWords();
  const name = field.split(".").at(-1) ?? field;
  const common = {
    name: field,
    label: words(`form.fields.${name}`),
    value,
    error,
    disabled,
    required,
    onInput: (event: Event) => onValue(typedValue(event), false),
    onChange: (event: Event) => onValue(typedValue(event), true),
  };
  const { onInput: _, ...choice } = common;
  switch (field) {
    case "dob":
      return <s-date-field {...common} autocomplete="bday" />;
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
      return <s-text-field {...common} autocomplete={AUTOCOMPLETE[field]} />;
  }
}
