import { BlockStack, Text } from "@shopify/polaris";
import type { DryRunView } from "./present-dry-run.ts";

type Unit = DryRunView["lines"][number]["units"][number];

/** Shows what would happen to one unit, with the call's body to look into. */
export function UnitPlan({ unit }: { unit: Unit }) {
  return (
    <BlockStack gap="100">
      <Text as="p">
        Test {unit.unit}: {unit.fate}
      </Text>
      <details className="pathway-details">
        <summary>
          {unit.isSent ? "What was sent" : "What would be sent"} (POST /v1/referrals)
        </summary>
        <pre className="pathway-code">{unit.body}</pre>
      </details>
    </BlockStack>
  );
}
