import { BlockStack, Card, Link, Text, TextField } from "@shopify/polaris";
import type { Fields } from "../../components/form/use-fields.ts";
import { MAX_NOTES_CHARS } from "../../modules/catalogue/mapping.ts";
import { PractitionerChoice } from "./practitioner-choice.tsx";
import type { VariantForm } from "./present-variant.ts";
import { TestPicker } from "./test-picker.tsx";

interface Props {
  tests: VariantForm["tests"];
  values: VariantForm["saved"];
  set: Fields<VariantForm["saved"]>["set"];
  errors: Record<string, string>;
  practitioners: VariantForm["practitioners"];
}

/** Tests that a doctor orders under Medicare, and the doctor. */
export function MedicareCard({ tests, values, set, errors, practitioners }: Props) {
  const needsPractitioner = values.medicareTests.length > 0;
  return (
    <Card>
      <BlockStack gap="400">
        <BlockStack gap="100">
          <Text as="h2" variant="headingMd">
            Medicare-billed tests
          </Text>
          <Text as="p" tone="subdued">
            Optional. These go on a second form, are claimed against Medicare and aren’t billed to
            you. Only blood tests can be ordered this way. The doctors who order them are kept under{" "}
            <Link url="/app/practitioners">Practitioners</Link>.
          </Text>
        </BlockStack>
        <TestPicker
          label="Medicare tests"
          tests={tests}
          selected={values.medicareTests}
          onChange={set("medicareTests")}
          showPrices={false}
          error={errors.medicareTests}
        />
        {needsPractitioner && (
          <>
            <PractitionerChoice
              values={values}
              set={set}
              errors={errors}
              practitioners={practitioners}
            />
            <TextField
              label="Clinical notes (optional)"
              name="clinicalNotes"
              autoComplete="off"
              multiline={2}
              maxLength={MAX_NOTES_CHARS}
              value={values.clinicalNotes}
              onChange={set("clinicalNotes")}
              helpText="What the practitioner wants on every Medicare form of this product. Nothing about one patient."
              error={errors.clinicalNotes}
            />
          </>
        )}
      </BlockStack>
    </Card>
  );
}
