import { BlockStack, FormLayout, Text, TextField } from "@shopify/polaris";
import type { FormPart } from "../app.settings/form-part.ts";
import type { StoreValues } from "./store-policies.tsx";

/** Where patients look for a collection centre: a link beside the referral form, with what to bring. */
export function CollectionFinderFields({ fields: { values, set }, errors }: FormPart<StoreValues>) {
  const typed = (name: "finderName" | "finderUrl") => ({
    name,
    value: values[name],
    onChange: set(name),
    error: errors[name],
    autoComplete: "off",
  });
  return (
    <BlockStack gap="400">
      <Text as="h3" variant="headingMd">
        Collection centres
      </Text>
      <Text as="p" tone="subdued">
        Your laboratory’s page on which patients find a collection centre. Patients see the link
        beside their referral form. Leave both blank to show none.
      </Text>
      <FormLayout>
        <TextField
          label="Name of the finder"
          placeholder="Example Pathology"
          helpText={`Patients read: “Find a collection centre: ${values.finderName.trim() || "Example Pathology"}”`}
          {...typed("finderName")}
        />
        <TextField
          label="Web address of the finder"
          type="url"
          inputMode="url"
          placeholder="https://example.com/collection-centres"
          {...typed("finderUrl")}
        />
      </FormLayout>
    </BlockStack>
  );
}
