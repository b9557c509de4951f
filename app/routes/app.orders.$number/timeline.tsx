import { BlockStack, Card, Text } from "@shopify/polaris";
import { TIMELINE_KEPT_YEARS } from "../../modules/kernel/timeline.ts";
import { countOf } from "../../modules/kernel/words.ts";
import type { EntryView } from "./present-order.ts";
import { TimelineItem } from "./timeline-item.tsx";

const SHOWN = 12;

/**
 * Everything that happened to the order and its requests. Newest first; the oldest, and every call with its ids and codes, on
 * demand. `hasEnded`: old entries are kept no longer.
 */
export function Timeline({ entries, hasEnded }: { entries: EntryView[]; hasEnded: boolean }) {
  const told = entries.filter(({ isTechnical }) => !isTechnical);
  const older = told.slice(SHOWN);
  return (
    <Card>
      <BlockStack gap="400">
        <Text as="h2" variant="headingMd">
          Timeline
        </Text>
        {told.length === 0 && !hasEnded && (
          <Text as="p" tone="subdued">
            Nothing has happened yet.
            {entries.length === 0
              ? " Press “Re-sync now” if the order is older than a minute."
              : " What Pathway does for this order’s tests appears here."}
          </Text>
        )}
        {told.length > 0 && <Entries entries={told.slice(0, SHOWN)} />}
        {older.length > 0 && (
          <details className="pathway-details">
            <summary>Show {countOf(older.length, "older entry", "older entries")}</summary>
            <Entries entries={older} />
          </details>
        )}
        {hasEnded && (
          <Text as="p" tone="subdued">
            This order’s data was erased more than {TIMELINE_KEPT_YEARS} years ago. Entries older
            than {TIMELINE_KEPT_YEARS} years aren’t kept after that. Who saw or changed it stays
            below.
          </Text>
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
