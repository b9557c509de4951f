import { Badge, BlockStack, Button, Card, Divider, InlineStack, Text } from "@shopify/polaris";
import { Fragment } from "react";
import { countOf } from "../../modules/kernel/words.ts";
import type { LineView, RequestView } from "./present-order.ts";
import { RequestBlock } from "./request-block.tsx";

/** One line of the order, and a request for each of its units. */
export function LineCard({ line }: { line: LineView }) {
  const facts = [
    line.sku,
    countOf(line.quantity, "unit"),
    line.removed > 0 ? `${line.removed} refunded or removed` : null,
  ];
  const rest = line.requests.filter((request, index) => !isShown(request, index));
  return (
    <Card>
      <BlockStack gap="400">
        <InlineStack align="space-between" blockAlign="start" gap="200" wrap={false}>
          <BlockStack gap="050">
            <Text as="h2" variant="headingMd">
              {line.title}
            </Text>
            <Text as="p" tone="subdued">
              {facts.filter(Boolean).join(" · ")}
            </Text>
          </BlockStack>
          <Badge tone={line.mapping.tone}>{line.mapping.name}</Badge>
        </InlineStack>
        <Requests requests={line.requests.filter(isShown)} />
        {rest.length > 0 && (
          <details className="pathway-details">
            <summary>Show {countOf(rest.length, "more test")}</summary>
            <BlockStack gap="400">
              <Requests requests={rest} />
            </BlockStack>
          </details>
        )}
        {line.hidden > 0 && (
          <BlockStack gap="200" inlineAlign="start">
            <Text as="p" tone="subdued">
              {countOf(line.hidden, "more test")} {line.hidden === 1 ? "isn’t" : "aren’t"} on this
              page.
              {line.hiddenAttention > 0 &&
                ` ${countOf(line.hiddenAttention, "of them needs", "of them need")} attention.`}
            </Text>
            <Button
              url={line.wholeUrl}
            >{`Show all ${countOf(line.hidden + line.requests.length, "test")}`}</Button>
          </BlockStack>
        )}
        {line.requests.length === 0 && <NoRequests line={line} />}
      </BlockStack>
    </Card>
  );
}

/** Of many units, those that need somebody and the first few are enough: where the others stand is said above. */
const SHOWN = 5;
const isShown = ({ needsAttention }: RequestView, index: number) => needsAttention || index < SHOWN;

function Requests({ requests }: { requests: RequestView[] }) {
  return requests.map((request) => (
    <Fragment key={request.id}>
      <Divider />
      <RequestBlock request={request} />
    </Fragment>
  ));
}

function NoRequests({ line }: { line: LineView }) {
  if (line.mappingState === "ignored")
    return (
      <Text as="p" tone="subdued">
        Not a test, so nothing is ordered for it.
      </Text>
    );
  if (line.mappingState === "mapped")
    return (
      <Text as="p" tone="subdued">
        Nothing is left of it to order.
      </Text>
    );
  return (
    <BlockStack gap="200" inlineAlign="start">
      <Text as="p">
        Not mapped yet.
        {!line.mappingUrl &&
          " It isn’t in your store any more, so it can’t be mapped: contact the customer."}
      </Text>
      {line.mappingUrl && (
        <Button
          variant="primary"
          url={line.mappingUrl}
          accessibilityLabel={`Map it: ${line.title}`}
        >
          Map it
        </Button>
      )}
    </BlockStack>
  );
}
