import { Badge, Checkbox, IndexTable, Link, Text } from "@shopify/polaris";
import type { Choice } from "./choice.ts";
import { MapsTo } from "./maps-to.tsx";
import type { VariantView } from "./present-mappings.ts";

interface Props {
  variants: VariantView[];
  choice: Choice;
  address(number: string): string;
}

export function MappingTable({ variants, choice, address }: Props) {
  return (
    <IndexTable
      selectable={false}
      itemCount={variants.length}
      resourceName={{ singular: "variant", plural: "variants" }}
      headings={[
        { title: "Selected", hidden: true },
        { title: "Product" },
        { title: "Tests included" },
        { title: "State" },
        { title: "Price", alignment: "end" },
        { title: "Cost", alignment: "end" },
        { title: "Margin", alignment: "end" },
      ]}
    >
      {variants.map((variant, position) => (
        <IndexTable.Row key={variant.number} id={variant.number} position={position}>
          <IndexTable.Cell>
            <Checkbox
              label={`Select ${[variant.productTitle, variant.variantTitle].filter(Boolean).join(" – ")}`}
              labelHidden
              checked={choice.ticked.has(variant.number)}
              onChange={() => choice.toggle(variant.number)}
            />
          </IndexTable.Cell>
          <IndexTable.Cell>
            <div className="pathway-wrap">
              <Link url={address(variant.number)} monochrome removeUnderline>
                <Text as="span" fontWeight="semibold">
                  {variant.productTitle}
                </Text>
              </Link>
              <Text as="p" tone="subdued" variant="bodySm">
                {[variant.variantTitle, variant.sku].filter(Boolean).join(" · ")}
              </Text>
            </div>
          </IndexTable.Cell>
          <IndexTable.Cell>
            <div className="pathway-wrap">
              <MapsTo variant={variant} />
            </div>
          </IndexTable.Cell>
          <IndexTable.Cell>
            <Badge tone={variant.tone}>{variant.stateName}</Badge>
          </IndexTable.Cell>
          <Money text={variant.price} />
          <Money text={variant.cost} />
          <Money text={variant.margin} isLoss={variant.isLoss} />
        </IndexTable.Row>
      ))}
    </IndexTable>
  );
}

function Money({ text, isLoss = false }: { text: string | null; isLoss?: boolean }) {
  return (
    <IndexTable.Cell>
      <Text as="span" alignment="end" numeric tone={isLoss ? "critical" : undefined}>
        {text ?? "–"}
      </Text>
    </IndexTable.Cell>
  );
}
