import { Link } from "@remix-run/react";
import { Badge, BlockStack, Card, InlineStack, Text } from "@shopify/polaris";
import { Moment } from "../../components/moment/moment.tsx";
import type { RehearsalView } from "./present-rehearsals.ts";

/** How earlier rehearsals went, each with the way to its order. */
export function EarlierRehearsals({ rehearsals }: { rehearsals: RehearsalView[] }) {
  return (
    <Card>
      <BlockStack gap="300">
        <Text as="h2" variant="headingMd">
          Earlier rehearsals
        </Text>
        <ul className="pathway-list">
          {rehearsals.map((one) => (
            <li key={one.id} className="pathway-row">
              <InlineStack align="space-between" gap="200" blockAlign="center">
                {one.hasOrder ? <Link to={one.url}>{one.title}</Link> : <span>{one.title}</span>}
                <InlineStack gap="200" blockAlign="center">
                  <Text as="span" tone="subdued" variant="bodySm">
                    <Moment at={one.startedAt} />
                  </Text>
                  <Badge tone={one.failure ? "critical" : "success"}>
                    {one.failure ? "Stopped" : "Worked"}
                  </Badge>
                </InlineStack>
              </InlineStack>
            </li>
          ))}
        </ul>
      </BlockStack>
    </Card>
  );
}
