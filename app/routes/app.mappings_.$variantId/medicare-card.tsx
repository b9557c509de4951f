import { BlockStack, Card, FormLayout, Text, TextField } from "@shopify/polaris";
import type { Fields } from "../../components/form/use-fields.ts";
import type { VariantForm } from "./present-variant.ts";
import { TestPicker } from "./test-picker.tsx";

interface Props {
  tests: VariantForm["tests"];
  values: VariantForm["saved"];
  set: Fields<VariantForm["saved"]>["set"];
  errors: Record<string, string>;
}

/** Tests that a doctor orders under Medicare, and the doctor. */
export function MedicareCard({ tests, values, set, errors }: Props) {
  const needsPractitioner = values.medicareTests.length > 0;
  return (
    <Card>
      <BlockStack gap="400">
        <BlockStack gap="100">
          <Text as="h2" variant="headingMd">
            Under Medicare
          </Text>
          <Text as="p" tone="subdued">
            Optional. These go on a second form, are claimed against Medicare and aren’t billed to
            you. Only blood tests can be ordered this way.
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
          <FormLayout>
            <TextField
              label="Ordering practitioner"
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
              error={errors.practitionerProviderNumber}
            />
          </FormLayout>
        )}
      </BlockStack>
    </Card>
  );
}
