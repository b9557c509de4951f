import { Badge, BlockStack, Box, InlineStack, Link, Text } from "@shopify/polaris";
import { MapsTo } from "./maps-to.tsx";
import type { VariantView } from "./present-mappings.ts";

interface Props {
  variants: VariantView[];
  address(number: string): string;
}

export function MappingCards({ variants, address }: Props) {
  return (
    <ul className="pathway-list">
      {variants.map((variant) => (
        <li key={variant.number}>
          <Box padding="400">
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
              <Text as="p" tone="subdued" variant="bodySm">
                {variant.margin
                  ? `${variant.price} − ${variant.cost} = ${variant.margin} margin`
                  : variant.price}
              </Text>
            </BlockStack>
          </Box>
        </li>
      ))}
    </ul>
  );
}
