import { BlockStack, Card, Text } from "@shopify/polaris";
import { SHOWN_STAGES, STAGE_WORDS } from "../../modules/reports/stage-words.ts";
import { ChartTable } from "./chart-table.tsx";
import type { TrendsView } from "./present-home.ts";
import { RequestChart } from "./request-chart.tsx";

/** Tests opened in the last days, by where they stand now: as bars, and as a table for who prefers one. */
export function ChartCard({ days }: Pick<TrendsView, "days">) {
  const total = days.reduce(
    (sum, { counts }) => sum + SHOWN_STAGES.reduce((all, stage) => all + counts[stage], 0),
    0,
  );
  return (
    <Card>
      <BlockStack gap="400">
        <BlockStack gap="100">
          <Text as="h2" variant="headingMd">
            Last {days.length} days
          </Text>
          <Text as="p" tone="subdued">
            {total === 0
              ? "No test was bought in this time. The chart fills as orders are paid."
              : "Tests by the day they were paid for, and where they stand now."}
          </Text>
        </BlockStack>
        {total > 0 && (
          <>
            <RequestChart days={days} total={total} />
            <ul className="pathway-legend">
              {SHOWN_STAGES.map((stage) => (
                <li key={stage} data-stage={stage}>
                  {STAGE_WORDS[stage].name}
                </li>
              ))}
            </ul>
            <ChartTable days={days} />
          </>
        )}
      </BlockStack>
    </Card>
  );
}
