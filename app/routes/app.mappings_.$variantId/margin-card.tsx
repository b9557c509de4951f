import { BlockStack, Box, Card, InlineStack, Text } from "@shopify/polaris";
import { CatalogueDate } from "../../components/moment/catalogue-date.tsx";
import { costOf } from "../../modules/catalogue/cost.ts";
import {
  describeMargin,
  dollars,
  isComparable,
  money,
} from "../../modules/catalogue/mapping-words.ts";
import type { VariantForm } from "./present-variant.ts";

/** Shows the margin between the price and the service's own, while the mapping is being chosen. */
export function MarginCard({ view, values }: { view: VariantForm; values: VariantForm["saved"] }) {
  const { bundleId, tests, medicareTests } = values;
  const isEmpty = !bundleId && tests.length + medicareTests.length === 0;
  const items = { bundleId: bundleId || null, tests };
  const cost = isEmpty ? null : costOf(items, view);
  return (
    <Card>
      <BlockStack gap="300">
        <Text as="h2" variant="headingMd">
          Margin per unit
        </Text>
        <BlockStack gap="150">
          <Row label="Your price" text={money(view.price)} />
          <Row
            label="The service’s price"
            text={cost ? `${cost.cents > 0 ? "− " : ""}${dollars(cost.cents)}` : "–"}
          />
          <Box borderBlockStartWidth="025" borderColor="border" paddingBlockStart="150">
            <Row
              label="Margin"
              strong
              isLoss={cost !== null && isComparable(view.price) && cost.cents > view.price.cents}
              text={(cost && describeMargin(view.price, cost.cents)) ?? "–"}
            />
          </Box>
        </BlockStack>
        <Text as="p" tone="subdued" variant="bodySm">
          {cost?.isEstimate
            ? "An estimate: the service lists no price for bundles, so this adds up the prices of their tests. Before tax and Shopify’s fees."
            : "Before tax and Shopify’s fees. Medicare tests aren’t billed to you."}
        </Text>
        {!isComparable(view.price) && (
          <Text as="p" tone="subdued" variant="bodySm">
            {`Your store’s prices are in ${view.price.currency}, and the service charges in Australian dollars: there is no margin to show.`}
          </Text>
        )}
        {view.catalogueAt && <CatalogueDate at={view.catalogueAt} />}
      </BlockStack>
    </Card>
  );
}

interface RowProps {
  label: string;
  text: string;
  strong?: boolean;
  isLoss?: boolean;
}

function Row({ label, text, strong = false, isLoss = false }: RowProps) {
  const fontWeight = strong ? "semibold" : "regular";
  return (
    <InlineStack align="space-between" gap="200">
      <Text as="span" fontWeight={fontWeight}>
        {label}
      </Text>
      <Text as="span" numeric fontWeight={fontWeight} tone={isLoss ? "critical" : undefined}>
        {text}
      </Text>
    </InlineStack>
  );
}
