import { BlockStack, Card, Link, Text } from "@shopify/polaris";
import { Moment } from "../../components/moment/moment.tsx";
import { countOf } from "../../modules/kernel/words.ts";
import type { TrendsView } from "./present-home.ts";

/** Tests without results whose form was issued longer ago than the laboratory says they take at most. */
export function OverdueCard({
  overdue: { count, rows },
  now,
}: Pick<TrendsView, "overdue"> & { now: string }) {
  const more = count - rows.length;
  return (
    <Card>
      <BlockStack gap="300">
        <Text as="h2" variant="headingMd">
          Overdue results
        </Text>
        {count > 0 ? (
          <>
            <Text as="p" tone="subdued">
              {countOf(count, "test")} without results after the longest time in the catalogue. The
              patient may not have gone yet, or the sample may be lost.
            </Text>
            <ul className="pathway-late">
              {rows.map((row) => (
                <li key={`${row.number} ${row.issuedAt} ${row.title}`}>
                  <span>
                    <Link url={`/app/orders/${row.number}`}>{row.orderName}</Link> {row.title}
                  </span>
                  <Text as="span" tone="subdued">
                    Issued <Moment at={row.issuedAt} now={now} />, expected within{" "}
                    {countOf(row.publishedDays, "day")}
                  </Text>
                </li>
              ))}
            </ul>
            {more > 0 ? (
              <Text as="p" tone="subdued">
                And {countOf(more, "test")} overdue for longer.
              </Text>
            ) : null}
          </>
        ) : (
          <Text as="p" tone="subdued">
            No overdue results. A test is overdue once the longest time in the catalogue is over.
          </Text>
        )}
      </BlockStack>
    </Card>
  );
}
