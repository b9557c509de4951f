import { Badge, BlockStack, Box, InlineStack, Text } from "@shopify/polaris";
import { describeOutcome } from "../../modules/catalogue/mapping-run-words.ts";
import type { RunKind, StoredRunRow } from "../../modules/catalogue/run.ts";
import type { BatchState } from "../../modules/kernel/batch.ts";

interface Props {
  rows: Omit<StoredRunRow, "change">[];
  kind: RunKind;
  state: BatchState;
}

/** Shows the outcome, or the plan, for each variant. A list: it reads the same on a phone. */
export function RunRows({ rows, kind, state }: Props) {
  if (rows.length === 0)
    return (
      <Box padding="800">
        <Text as="p" tone="subdued" alignment="center">
          There are no such lines.
        </Text>
      </Box>
    );
  return (
    <ul className="pathway-list">
      {rows.map((row) => (
        <li key={row.position}>
          <Box padding="400">
            <BlockStack gap="100">
              <InlineStack align="space-between" blockAlign="start" gap="200" wrap={false}>
                <Text as="span" fontWeight="semibold">
                  {kind === "file" && row.line !== null ? `Line ${row.line}: ` : ""}
                  {row.label || "no product named"}
                </Text>
                <Badge tone={describeOutcome(row.outcome ?? "waiting", kind).tone}>
                  {row.outcome === null && state === "cancelled"
                    ? "Left as it was"
                    : describeOutcome(row.outcome ?? "waiting", kind).name}
                </Badge>
              </InlineStack>
              {row.outcome !== "nothing_to_do" && row.becomes !== "" && (
                <Text as="p">
                  <Text as="span" tone="subdued">
                    {row.was} →{" "}
                  </Text>
                  {row.becomes}
                </Text>
              )}
              {row.outcome === "nothing_to_do" && (
                <Text as="p" tone="subdued">
                  {row.was}
                </Text>
              )}
              {row.message && (
                <Text as="p" tone={kind === "undo" ? "subdued" : "critical"}>
                  {row.field ? `${row.field}: ` : ""}
                  {row.message}
                </Text>
              )}
            </BlockStack>
          </Box>
        </li>
      ))}
    </ul>
  );
}
