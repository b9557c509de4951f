import { BlockStack, Card, Text } from "@shopify/polaris";
import { Moment } from "../../components/moment/moment.tsx";
import type { EntryView } from "./present-order.ts";

/** Everything that happened to the order and its requests: who, when, and what proves it. Newest first. */
export function Timeline({ entries }: { entries: EntryView[] }) {
  return (
    <Card>
      <BlockStack gap="400">
        <Text as="h2" variant="headingMd">
          Timeline
        </Text>
        {entries.length === 0 && (
          <Text as="p" tone="subdued">
            Nothing has happened yet.
          </Text>
        )}
        <ol className="pathway-timeline">
          {entries.map((entry) => (
            <li key={entry.id}>
              <Text as="p">{entry.sentence}</Text>
              <Text as="p" tone="subdued" variant="bodySm">
                {entry.who} · <Moment at={entry.at} />
                {entry.about && ` · ${entry.about}`}
              </Text>
              {entry.evidence && (
                <Text as="p" tone="subdued" variant="bodySm" breakWord>
                  {entry.evidence}
                </Text>
              )}
            </li>
          ))}
        </ol>
      </BlockStack>
    </Card>
  );
}
