import { Text } from "@shopify/polaris";
import type { VariantView } from "./present-mappings.ts";
import { Proposals } from "./proposals.tsx";

/** Shows what a variant orders, in words: its faults first, proposals last. */
export function MapsTo({ variant }: { variant: VariantView }) {
  return (
    <>
      {variant.troubles.map((trouble) => (
        <Text as="p" key={trouble} tone="critical">
          {trouble}
        </Text>
      ))}
      {variant.state === "unmapped" && variant.proposals.length === 0 && (
        <Text as="p" tone="subdued">
          {variant.isSearched ? "No suggestion" : "Nothing yet"}
        </Text>
      )}
      {variant.mapsTo.map((line) => (
        <Text as="p" key={line} tone={variant.state === "ignored" ? "subdued" : undefined}>
          {line}
        </Text>
      ))}
      {variant.origin && (
        <Text as="p" tone="subdued" variant="bodySm">
          {variant.origin}
        </Text>
      )}
      <Proposals variant={variant} />
    </>
  );
}
