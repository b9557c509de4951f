import { Badge, BlockStack, Box, Checkbox, InlineStack, Link, Text } from "@shopify/polaris";
import { memo } from "react";
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
        <VariantCard
          key={variant.number}
          variant={variant}
          isTicked={choice.ticked.has(variant.number)}
          toggle={choice.toggle}
          address={address}
        />
      ))}
    </ul>
  );
}

interface CardProps {
  variant: VariantView;
  isTicked: boolean;
  toggle: Choice["toggle"];
  address: Props["address"];
}

/** Kept as it is while others are ticked, as a row of the table. */
const VariantCard = memo(function VariantCard({ variant, isTicked, toggle, address }: CardProps) {
  return (
    <li>
      <Box padding="400">
        <InlineStack gap="200" wrap={false} blockAlign="start">
          <Checkbox
            label={`Select ${[variant.productTitle, variant.variantTitle].filter(Boolean).join(" – ")}`}
            labelHidden
            checked={isTicked}
            onChange={() => toggle(variant.number)}
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
  );
});

/** "Price $99.00, cost $60.00, margin $39.00 (39%)"; a loss says itself what it is. */
function describeMoney({ price, cost, margin, isLoss }: VariantView): string {
  if (!margin) return cost ? `Price ${price}, cost ${cost}` : `Price ${price}`;
  return `Price ${price}, cost ${cost}${isLoss ? ":" : ", margin"} ${margin}`;
}
