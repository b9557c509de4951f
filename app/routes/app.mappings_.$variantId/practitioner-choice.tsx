import { BlockStack, FormLayout, Select, TextField } from "@shopify/polaris";
import { useState } from "react";
import type { Fields } from "../../components/form/use-fields.ts";
import type { VariantForm } from "./present-variant.ts";

const ANOTHER = "another";

interface Props {
  values: VariantForm["saved"];
  set: Fields<VariantForm["saved"]>["set"];
  errors: Record<string, string>;
  practitioners: VariantForm["practitioners"];
}

/** Chooses who orders the Medicare tests: a practitioner of the registry, or a new one, who is then added to it. */
export function PractitionerChoice({ values, set, errors, practitioners }: Props) {
  const chosen = practitioners.find(
    (one) => one.providerNumber === values.practitionerProviderNumber,
  );
  const [isNew, setNew] = useState(practitioners.length === 0);
  const choose = (value: string) => {
    const found = practitioners.find((one) => one.providerNumber === value);
    setNew(value === ANOTHER);
    set("practitionerName")(found?.name ?? "");
    set("practitionerAddress")(found?.address ?? "");
    set("practitionerProviderNumber")(found?.providerNumber ?? "");
  };
  const isTyping = isNew || (!chosen && values.practitionerProviderNumber !== "");
  const fault =
    errors.practitionerProviderNumber && "Choose the practitioner who orders the tests.";
  return (
    <BlockStack gap="300">
      {practitioners.length > 0 && (
        <Select
          label="Ordering practitioner"
          value={isTyping ? ANOTHER : (chosen?.providerNumber ?? "")}
          onChange={choose}
          error={isTyping ? undefined : (errors.practitioner ?? fault)}
          options={[
            ...(chosen || isTyping ? [] : [{ value: "", label: "Choose a practitioner" }]),
            ...practitioners.map(({ name, label, providerNumber, hasFault }) => ({
              value: providerNumber,
              label: `${label || name} (${providerNumber})${hasFault ? ", refused" : ""}`,
            })),
            { value: ANOTHER, label: "Add a new practitioner" },
          ]}
        />
      )}
      {isTyping ? (
        <FormLayout>
          <TextField
            label={practitioners.length > 0 ? "Practitioner’s name" : "Ordering practitioner"}
            name="practitionerName"
            autoComplete="off"
            value={values.practitionerName}
            onChange={set("practitionerName")}
            error={errors.practitionerName}
          />
          <TextField
            label="Practice address"
            name="practitionerAddress"
            autoComplete="off"
            value={values.practitionerAddress}
            onChange={set("practitionerAddress")}
            error={errors.practitionerAddress}
          />
          <TextField
            label="Medicare provider number"
            name="practitionerProviderNumber"
            autoComplete="off"
            spellCheck={false}
            maxLength={8}
            value={values.practitionerProviderNumber}
            onChange={set("practitionerProviderNumber")}
            helpText="Registered with your organisation in the referral service, with a signature on file."
            error={errors.practitionerProviderNumber ?? errors.practitioner}
          />
        </FormLayout>
      ) : (
        <input
          type="hidden"
          name="practitionerProviderNumber"
          value={values.practitionerProviderNumber}
        />
      )}
    </BlockStack>
  );
}
