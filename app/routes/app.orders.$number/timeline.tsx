import { BlockStack, Card, Text } from "@shopify/polaris";
import { countOf } from "../../modules/kernel/words.ts";
import type { EntryView } from "./present-order.ts";
import { TimelineItem } from "./timeline-item.tsx";

const SHOWN = 12;

/**
 * Everything that happened to the order and its requests. Newest first; the oldest, and every call with its ids and codes, on
 * demand.
 */
export function Timeline({ entries }: { entries: EntryView[] }) {
  const told = entries.filter(({ isTechnical }) => !isTechnical);
  const older = told.slice(SHOWN);
  return (
    <Card>
      <BlockStack gap="400">
        <Text as="h2" variant="headingMd">
          Timeline
        </Text>
        {told.length === 0 ? (
          <Text as="p" tone="subdued">
            Nothing has happened yet.
            {entries.length === 0
              ? " Press “Re-sync now” if the order is older than a minute."
              : " What Pathway does for this order’s tests appears here."}
          </Text>
        ) : (
          <Entries entries={told.slice(0, SHOWN)} />
        )}
        {older.length > 0 && (
          <details className="pathway-details">
            <summary>Show {countOf(older.length, "older entry", "older entries")}</summary>
            <Entries entries={older} />
          </details>
        )}
        {entries.length > 0 && (
          <details className="pathway-details">
            <summary>Technical details: every call, attempt and id</summary>
            <Entries entries={entries} withEvidence />
          </details>
        )}
      </BlockStack>
    </Card>
  );
}

function Entries({
  entries,
  withEvidence = false,
}: {
  entries: EntryView[];
  withEvidence?: boolean;
}) {
  return (
    <ol className="pathway-timeline">
      {entries.map((entry) => (
        <TimelineItem key={entry.id} entry={entry} withEvidence={withEvidence} />
      ))}
    </ol>
  );
}
