import {
  BlockStack,
  Box,
  Card,
  InlineGrid,
  Layout,
  SkeletonBodyText,
  SkeletonDisplayText,
  SkeletonPage,
} from "@shopify/polaris";
import type { ReactNode } from "react";
import type { PageShape } from "./page-shape.ts";

/** The outline of a page that is on its way: its heading, where that is known, and where its cards will be. */
export function PageSkeleton({ shape: { kind, title, isBelow } }: { shape: PageShape }) {
  const Outline = OUTLINES[kind];
  return (
    <SkeletonPage title={title} backAction={isBelow} primaryAction={kind === "index"}>
      <Outline />
    </SkeletonPage>
  );
}

const OUTLINES: Record<PageShape["kind"], () => ReactNode> = {
  home: () => (
    <BlockStack gap="400">
      <InlineGrid columns={{ xs: 2, md: 4 }} gap="400">
        {["a", "b", "c", "d"].map((tile) => (
          <Lines key={tile} lines={1} />
        ))}
      </InlineGrid>
      <TwoColumns />
    </BlockStack>
  ),
  index: () => (
    <Card padding="0">
      <Box padding="400" borderBlockEndWidth="025" borderColor="border">
        <SkeletonDisplayText size="small" />
      </Box>
      {ROWS.map((row) => (
        <Box key={row} padding="400" borderBlockEndWidth="025" borderColor="border-secondary">
          <SkeletonBodyText lines={2} />
        </Box>
      ))}
    </Card>
  ),
  detail: () => <TwoColumns />,
  settings: () => (
    <BlockStack gap={{ xs: "800", sm: "600" }}>
      {["a", "b", "c"].map((section) => (
        <InlineGrid key={section} columns={{ xs: "1fr", md: "2fr 5fr" }} gap="400">
          <Box padding="400">
            <SkeletonBodyText lines={3} />
          </Box>
          <Lines lines={6} />
        </InlineGrid>
      ))}
    </BlockStack>
  ),
  form: () => (
    <BlockStack gap="400">
      <Lines lines={4} />
      <Lines lines={6} />
    </BlockStack>
  ),
};

const ROWS = ["a", "b", "c", "d", "e", "f", "g", "h"];

function TwoColumns() {
  return (
    <Layout>
      <Layout.Section>
        <BlockStack gap="400">
          <Lines lines={5} />
          <Lines lines={8} />
        </BlockStack>
      </Layout.Section>
      <Layout.Section variant="oneThird">
        <Lines lines={4} />
      </Layout.Section>
    </Layout>
  );
}

/** A card with a heading and some lines of text. */
function Lines({ lines }: { lines: number }) {
  return (
    <Card>
      <BlockStack gap="400">
        <SkeletonDisplayText size="small" />
        <SkeletonBodyText lines={lines} />
      </BlockStack>
    </Card>
  );
}
