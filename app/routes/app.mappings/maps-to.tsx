import { Text } from "@shopify/polaris";
import { countOf } from "../../messages/mapping.ts";
import type { VariantView } from "./present-mappings.ts";

/** What a variant orders, in words; what is wrong with it first. */
export function MapsTo({ variant }: { variant: VariantView }) {
  if (variant.state === "unmapped")
    return (
      <Text as="p" tone="subdued">
        Nobody has said yet
      </Text>
    );
  return (
    <>
      {variant.missing.length > 0 && (
        <Text as="p" tone="critical">
          {countOf(variant.missing.length, "item")} gone from the catalogue
        </Text>
      )}
      {variant.mapsTo.map((line) => (
        <Text as="p" key={line} tone={variant.state === "ignored" ? "subdued" : undefined}>
          {line}
        </Text>
      ))}
    </>
  );
}
