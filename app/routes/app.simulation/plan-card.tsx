import { BlockStack, Card, List, Text } from "@shopify/polaris";
import { SIMULATION_STEPS } from "../../modules/reports/simulation.ts";
import { SIMULATION_STEP_NAMES } from "../../modules/reports/simulation-words.ts";

/** Explains a simulation to people who have not seen one yet. */
export function PlanCard() {
  return (
    <Card>
      <BlockStack gap="300">
        <Text as="h2" variant="headingMd">
          What you’ll see happen
        </Text>
        <List type="number">
          {SIMULATION_STEPS.map((step) => (
            <List.Item key={step}>{SIMULATION_STEP_NAMES[step]}</List.Item>
          ))}
        </List>
      </BlockStack>
    </Card>
  );
}
