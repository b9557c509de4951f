import { BlockStack, FormLayout, Text, TextField } from "@shopify/polaris";
import { type FormPart, textField } from "../app.settings/form-part.ts";
import type { StoreValues } from "./store-policies.tsx";

/** Where patients look for a collection centre: a link beside the referral form, with what to bring. */
export function CollectionFinderFields(part: FormPart<StoreValues>) {
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
          helpText={`Patients read: “Find a collection centre: ${part.fields.values.finderName.trim() || "Example Pathology"}”`}
          {...textField(part, "finderName")}
        />
        <TextField
          label="Web address of the finder"
          type="url"
          inputMode="url"
          placeholder="https://example.com/collection-centres"
          {...textField(part, "finderUrl")}
        />
      </FormLayout>
    </BlockStack>
  );
}
