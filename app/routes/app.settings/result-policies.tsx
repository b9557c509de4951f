import { BlockStack, ChoiceList, Text } from "@shopify/polaris";
import { RELEASE_POLICY_CHOICES } from "../../messages/policies.ts";
import type { PolicyPart } from "./policy-values.ts";

/** From the laboratory to the patient. */
export function ResultPolicies({ fields }: PolicyPart) {
  const { values, set } = fields;
  return (
    <BlockStack gap="400">
      <Text as="h3" variant="headingMd">
        Results
      </Text>
      <ChoiceList
        title="When patients see their results"
        name="releasePolicy"
        choices={[...RELEASE_POLICY_CHOICES]}
        selected={[values.releasePolicy]}
        onChange={([value]) => {
          const chosen = RELEASE_POLICY_CHOICES.find((one) => one.value === value);
          if (chosen) set("releasePolicy")(chosen.value);
        }}
      />
    </BlockStack>
  );
}
