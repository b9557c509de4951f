import { Link } from "@remix-run/react";
import { Badge, BlockStack, Card, InlineStack, Text } from "@shopify/polaris";
import { Moment } from "../../components/moment/moment.tsx";
import type { SimulationView } from "./present-simulations.ts";

/** How earlier simulations went, each with the way to its order. */
export function EarlierSimulations({ simulations }: { simulations: SimulationView[] }) {
  return (
    <Card>
      <BlockStack gap="300">
        <Text as="h2" variant="headingMd">
          Earlier simulations
        </Text>
        <ul className="pathway-list">
          {simulations.map((one) => (
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
