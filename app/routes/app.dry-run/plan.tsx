import { Badge, Banner, BlockStack, Button, Card, InlineStack, List, Text } from "@shopify/polaris";
import { countOf } from "../../modules/kernel/words.ts";
import type { DryRunView } from "./present-dry-run.ts";
import { UnitPlan } from "./unit-plan.tsx";

/** Shows what would happen to each line of an order. */
export function Plan({ plan }: { plan: DryRunView }) {
  return (
    <>
      {plan.obstacles.length > 0 && (
        <Banner tone="warning">
          <List>
            {plan.obstacles.map((obstacle) => (
              <List.Item key={obstacle}>{obstacle}</List.Item>
            ))}
          </List>
        </Banner>
      )}
      <Card>
        <InlineStack align="space-between" blockAlign="center" gap="200">
          <BlockStack gap="050">
            <Text as="h2" variant="headingMd">
              Order {plan.name}
            </Text>
            <Text as="p" tone="subdued">
              Goes to {plan.environment.toLowerCase()}
              {plan.isHeld && ", after your review"}
            </Text>
          </BlockStack>
          {plan.isKnown && <Button url={plan.url}>Open the order</Button>}
        </InlineStack>
      </Card>
      {plan.lines.map((line) => (
        <LinePlan key={line.key} line={line} />
      ))}
    </>
  );
}

function LinePlan({ line }: { line: DryRunView["lines"][number] }) {
  return (
    <Card>
      <BlockStack gap="300">
        <InlineStack align="space-between" blockAlign="center" gap="200">
          <Text as="h3" variant="headingSm">
            {line.title}
          </Text>
          <Badge tone={line.mapping.tone}>{line.mapping.name}</Badge>
        </InlineStack>
        {line.missing.length > 0 && (
          <Text as="p" tone="critical">
            The catalogue no longer has {line.missing.join(", ")}: the service would refuse this.
          </Text>
        )}
        {line.units.length === 0 && (
          <Text as="p" tone="subdued">
            {line.mapping.name === "Unmapped"
              ? "Not mapped yet, so nothing would be sent."
              : "Nothing would be sent."}
          </Text>
        )}
        {line.takenBack > 0 && (
          <Text as="p">{countOf(line.takenBack, "test")} would be cancelled.</Text>
        )}
        {line.units.map((unit) => (
          <UnitPlan key={unit.key} unit={unit} />
        ))}
      </BlockStack>
    </Card>
  );
}
