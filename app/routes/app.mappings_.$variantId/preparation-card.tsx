import { BlockStack, Card, Text, TextField } from "@shopify/polaris";
import type { Fields } from "../../components/form/use-fields.ts";
import { MAX_PREPARATION_CHARS } from "../../modules/catalogue/mapping.ts";
import type { VariantForm } from "./present-variant.ts";

interface Props {
  values: VariantForm["saved"];
  set: Fields<VariantForm["saved"]>["set"];
  errors: Record<string, string>;
}

/** How the patient prepares for the collection. */
export function PreparationCard({ values, set, errors }: Props) {
  return (
    <Card>
      <BlockStack gap="400">
        <Text as="h2" variant="headingMd">
          Before the collection
        </Text>
        <TextField
          label="Preparation (optional)"
          name="preparation"
          autoComplete="off"
          multiline={3}
          maxLength={MAX_PREPARATION_CHARS}
          showCharacterCount
          value={values.preparation}
          onChange={set("preparation")}
          placeholder="Don’t eat for 8 hours before the collection. Water is fine."
          helpText="Fasting, time of day, medicines: patients read it beside their referral form. Use the laboratory’s own words. Leave it empty if there is nothing to prepare."
          error={errors.preparation}
        />
      </BlockStack>
    </Card>
  );
}
