import { BlockStack, Card, List, Text } from "@shopify/polaris";
import { describeTurnaround } from "../../modules/catalogue/mapping-words.ts";
import { countOf } from "../../modules/kernel/words.ts";
import type { VariantForm } from "./present-variant.ts";

/** Lists what is measured for one unit, bundle and extra tests together, and how long it takes. */
export function ContentsCard({
  view,
  values,
}: {
  view: VariantForm;
  values: VariantForm["saved"];
}) {
  const bundle = view.bundles.find((one) => one.id === values.bundleId);
  const ids = new Set([
    ...(bundle?.tests.map((test) => test.id) ?? []),
    ...values.tests,
    ...values.medicareTests,
  ]);
  if (ids.size === 0) return null;
  const byId = new Map(view.tests.map((test) => [test.id, test]));
  const inBundle = new Map(bundle?.tests.map((test) => [test.id, test.name]) ?? []);
  const days = [...ids].map((id) => byId.get(id)?.turnaround?.maximumDays ?? null);
  const known = days.filter((one) => one !== null);
  const slowest = known.length === days.length ? Math.max(...known) : null;
  return (
    <Card>
      <BlockStack gap="200">
        <Text as="h2" variant="headingMd">
          {countOf(ids.size, "test")} in this product
        </Text>
        <List gap="extraTight">
          {[...ids].map((id) => {
            const test = byId.get(id);
            const turnaround = describeTurnaround(test?.turnaround ?? null);
            return (
              <List.Item key={id}>
                {test?.name ?? inBundle.get(id) ?? id}
                {turnaround && (
                  <Text as="span" tone="subdued">
                    {" "}
                    – {turnaround}
                  </Text>
                )}
              </List.Item>
            );
          })}
        </List>
        <Text as="p" tone="subdued" variant="bodySm">
          {slowest === null
            ? "The service doesn’t say how long all of them take."
            : `Results usually arrive within ${countOf(slowest, "day")} of the sample reaching the laboratory. Names and days are shown on the product’s page by the “Test details” block.`}
        </Text>
      </BlockStack>
    </Card>
  );
}
