import { Badge, BlockStack, Box, Checkbox, InlineStack, Link, Text } from "@shopify/polaris";
import type { Choice } from "./choice.ts";
import { MapsTo } from "./maps-to.tsx";
import type { VariantView } from "./present-mappings.ts";

interface Props {
  variants: VariantView[];
  choice: Choice;
  address(number: string): string;
}

export function MappingCards({ variants, choice, address }: Props) {
  return (
    <ul className="pathway-list">
      {variants.map((variant) => (
        <li key={variant.number}>
          <Box padding="400">
            <InlineStack gap="200" wrap={false} blockAlign="start">
              <Checkbox
                label={`Select ${[variant.productTitle, variant.variantTitle].filter(Boolean).join(" – ")}`}
                labelHidden
                checked={choice.ticked.has(variant.number)}
                onChange={() => choice.toggle(variant.number)}
              />
              <Box width="100%">
                <BlockStack gap="150">
                  <InlineStack align="space-between" blockAlign="start" gap="200" wrap={false}>
                    <Link url={address(variant.number)} monochrome removeUnderline>
                      <Text as="span" fontWeight="semibold">
                        {variant.productTitle}
                      </Text>
                    </Link>
                    <Badge tone={variant.tone}>{variant.stateName}</Badge>
                  </InlineStack>
                  {(variant.variantTitle || variant.sku) && (
                    <Text as="p" tone="subdued" variant="bodySm">
                      {[variant.variantTitle, variant.sku].filter(Boolean).join(" · ")}
                    </Text>
                  )}
                  <MapsTo variant={variant} />
                  {variant.price && (
                    <Text as="p" tone={variant.isLoss ? "critical" : "subdued"} variant="bodySm">
                      {describeMoney(variant)}
                    </Text>
                  )}
                </BlockStack>
              </Box>
            </InlineStack>
          </Box>
        </li>
      ))}
    </ul>
  );
}

/** "Price $99.00, cost $60.00, margin $39.00 (39%)"; a loss says itself what it is. */
function describeMoney({ price, cost, margin, isLoss }: VariantView): string {
  if (!margin) return cost ? `Price ${price}, cost ${cost}` : `Price ${price}`;
  return `Price ${price}, cost ${cost}${isLoss ? ":" : ", margin"} ${margin}`;
}
