import { BlockStack, Card, Text } from "@shopify/polaris";
import { Moment } from "../../components/moment/moment.tsx";
import type { AccessView } from "./present-order.ts";

/** Who saw, took or changed what is held about the patients of this order. Newest first. */
export function Accesses({ entries }: { entries: AccessView[] }) {
  return (
    <Card>
      <BlockStack gap="300">
        <Text as="h2" variant="headingMd">
          Who saw or changed data
        </Text>
        {entries.length === 0 ? (
          <Text as="p" tone="subdued">
            Nobody has opened details, a form or results yet. Whoever does appears here.
          </Text>
        ) : (
          <ol className="pathway-timeline">
            {entries.map(({ id, sentence, at, about }) => (
              <li key={id}>
                <Text as="p">{sentence}</Text>
                <Text as="p" tone="subdued" variant="bodySm">
                  <Moment at={at} />
                  {about && ` · ${about}`}
                </Text>
              </li>
            ))}
          </ol>
        )}
      </BlockStack>
    </Card>
  );
}
