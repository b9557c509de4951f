import { BlockStack, Card, Text } from "@shopify/polaris";
import { Moment } from "../../components/moment/moment.tsx";
import type { ChangeView } from "./present-team.ts";

/** What was changed in the settings, by whom, and what was refused. Newest first. */
export function ChangesCard({ changes }: { changes: ChangeView[] }) {
  return (
    <Card>
      <BlockStack gap="300">
        <Text as="h2" variant="headingMd">
          Changes and refusals
        </Text>
        {changes.length === 0 ? (
          <Text as="p" tone="subdued">
            Nothing so far. Changes of settings, connections and roles appear here, with who made
            them.
          </Text>
        ) : (
          <ol className="pathway-timeline">
            {changes.map(({ id, sentence, at }) => (
              <li key={id}>
                <Text as="p">{sentence}</Text>
                <Text as="p" tone="subdued" variant="bodySm">
                  <Moment at={at} />
                </Text>
              </li>
            ))}
          </ol>
        )}
      </BlockStack>
    </Card>
  );
}
