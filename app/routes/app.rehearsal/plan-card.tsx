import { BlockStack, Card, List, Text } from "@shopify/polaris";
import { REHEARSAL_STEPS } from "../../modules/reports/rehearsal.ts";
import { REHEARSAL_STEP_NAMES } from "../../modules/reports/rehearsal-words.ts";

/** What a rehearsal will do, for who has not seen one yet. */
export function PlanCard() {
  return (
    <Card>
      <BlockStack gap="300">
        <Text as="h2" variant="headingMd">
          What you’ll see happen
        </Text>
        <List type="number">
          {REHEARSAL_STEPS.map((step) => (
            <List.Item key={step}>{REHEARSAL_STEP_NAMES[step]}</List.Item>
          ))}
        </List>
      </BlockStack>
    </Card>
  );
}
