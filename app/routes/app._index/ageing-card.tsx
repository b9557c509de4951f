import { BlockStack, Card, Link, Text } from "@shopify/polaris";
import { Moment } from "../../components/moment/moment.tsx";
import { countOf } from "../../modules/kernel/words.ts";
import type { TrendsView } from "./present-home.ts";

/** Forms that were issued longer ago than the laboratory says its tests take at most. */
export function AgeingCard({ late, now }: Pick<TrendsView, "late"> & { now: string }) {
  return (
    <Card>
      <BlockStack gap="300">
        <Text as="h2" variant="headingMd">
          Late results
        </Text>
        {late.isSome ? (
          <>
            <Text as="p" tone="subdued">
              {late.count} issued and without results past the catalogue’s turnaround. The patient
              may not have gone yet, or a sample may be lost.
            </Text>
            <ul className="pathway-late">
              {late.rows.map((row) => (
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
          </>
        ) : (
          <Text as="p" tone="subdued">
            No test is later than the turnaround in the catalogue.
          </Text>
        )}
      </BlockStack>
    </Card>
  );
}
