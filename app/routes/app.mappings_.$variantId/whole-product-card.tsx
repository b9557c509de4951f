import { BlockStack, Card, ChoiceList, Link, List, Text } from "@shopify/polaris";
import { variantAddress } from "../app.mappings/address.ts";
import type { VariantForm } from "./present-variant.ts";

type Scope = VariantForm["saved"]["scope"];

/** Chooses whether the mapping is for the whole product, and shows what each of its variants has from where. */
export function WholeProductCard({
  view,
  scope,
  setScope,
}: {
  view: VariantForm;
  scope: Scope;
  setScope(scope: Scope): void;
}) {
  return (
    <Card>
      <BlockStack gap="300">
        <ChoiceList
          title="This mapping is for"
          name="scope"
          selected={[scope]}
          onChange={([chosen]) => setScope(chosen === "product" ? "product" : "variant")}
          choices={[
            {
              value: "product",
              label: "The whole product",
              helpText:
                "Every variant without a mapping of its own inherits it, those added later as well.",
            },
            {
              value: "variant",
              label: "This variant only",
              helpText: "It comes before the mapping of the whole product.",
            },
          ]}
        />
        {view.siblings.length > 1 && (
          <BlockStack gap="100">
            <Text as="h3" variant="headingSm">
              Variants of this product
            </Text>
            <List gap="extraTight">
              {view.siblings.map((one) => (
                <List.Item key={one.number}>
                  {one.isThis ? (
                    one.title
                  ) : (
                    <Link url={variantAddress(one.number, view.environment)}>{one.title}</Link>
                  )}
                  {`: ${one.mapsTo}`}
                  {one.origin && (
                    <Text as="span" tone="subdued">
                      {` (${one.origin.charAt(0).toLowerCase()}${one.origin.slice(1)})`}
                    </Text>
                  )}
                </List.Item>
              ))}
            </List>
          </BlockStack>
        )}
      </BlockStack>
    </Card>
  );
}
