import { Badge, Checkbox, IndexTable, type IndexTableProps, Link, Text } from "@shopify/polaris";
import { memo } from "react";
import type { Choice } from "./choice.ts";
import { MapsTo } from "./maps-to.tsx";
import type { VariantView } from "./present-mappings.ts";

interface Props {
  variants: VariantView[];
  choice: Choice;
  address(number: string): string;
}

/** Made once: the table measures its columns whenever it is given others. */
const HEADINGS: IndexTableProps["headings"] = [
  { title: "Selected", hidden: true },
  { title: "Product" },
  { title: "Tests included" },
  { title: "State" },
  { title: "Price", alignment: "end" },
  { title: "Cost", alignment: "end" },
  { title: "Margin", alignment: "end" },
];

export function MappingTable({ variants, choice, address }: Props) {
  return (
    <IndexTable
      selectable={false}
      itemCount={variants.length}
      resourceName={{ singular: "variant", plural: "variants" }}
      headings={HEADINGS}
    >
      {variants.map((variant, position) => (
        <Row
          key={variant.number}
          variant={variant}
          position={position}
          isTicked={choice.ticked.has(variant.number)}
          toggle={choice.toggle}
          address={address}
        />
      ))}
    </IndexTable>
  );
}

interface RowProps {
  variant: VariantView;
  position: number;
  isTicked: boolean;
  toggle: Choice["toggle"];
  address: Props["address"];
}

/** Kept as it is while others are ticked. */
const Row = memo(function Row({ variant, position, isTicked, toggle, address }: RowProps) {
  return (
    <IndexTable.Row id={variant.number} position={position}>
      <IndexTable.Cell>
        <Checkbox
          label={`Select ${[variant.productTitle, variant.variantTitle].filter(Boolean).join(" – ")}`}
          labelHidden
          checked={isTicked}
          onChange={() => toggle(variant.number)}
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
  );
});

function Money({ text, isLoss = false }: { text: string | null; isLoss?: boolean }) {
  return (
    <IndexTable.Cell>
      <Text as="span" alignment="end" numeric tone={isLoss ? "critical" : undefined}>
        {text ?? "–"}
      </Text>
    </IndexTable.Cell>
  );
}
