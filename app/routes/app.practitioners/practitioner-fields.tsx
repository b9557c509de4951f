import { FormLayout, TextField } from "@shopify/polaris";
import type { Fields } from "../../components/form/use-fields.ts";

export type PractitionerValues = Record<"label" | "name" | "address" | "providerNumber", string>;

interface Props {
  values: PractitionerValues;
  set: Fields<PractitionerValues>["set"];
  errors: Record<string, string>;
  isNew: boolean;
}

/** The fields of one practitioner. The number says who it is and stays. */
export function PractitionerFields({ values, set, errors, isNew }: Props) {
  const field = (name: keyof PractitionerValues) => ({
    name,
    value: values[name],
    onChange: set(name),
    error: errors[name],
    autoComplete: "off",
  });
  return (
    <FormLayout>
      <TextField label="Name" {...field("name")} />
      <TextField label="Practice address" {...field("address")} />
      {isNew && (
        <TextField
          label="Medicare provider number"
          {...field("providerNumber")}
          maxLength={10}
          spellCheck={false}
          helpText="Registered with your organisation in the referral service (Settings, Provider Numbers), with a signature on file."
        />
      )}
      <TextField
        label="Display name"
        {...field("label")}
        helpText="Optional. Shown in lists, for example “Dr Raman, Carlton”."
      />
    </FormLayout>
  );
}
