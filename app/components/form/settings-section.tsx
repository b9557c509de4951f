import { BlockStack, Box, InlineGrid, Text } from "@shopify/polaris";
import type { ReactNode } from "react";

interface Props {
  title: string;
  description: ReactNode;
  children: ReactNode;
}

/** Where a section is on its page, by its title. */
const anchorOf = (title: string) => title.toLowerCase().replaceAll(" ", "-");

/** One group of settings: what it is about beside (on a phone: above) its cards. */
export function SettingsSection({ title, description, children }: Props) {
  return (
    <section id={anchorOf(title)}>
      <InlineGrid columns={{ xs: "1fr", md: "2fr 5fr" }} gap="400" alignItems="start">
        <Box paddingInline={{ xs: "400", sm: "0" }} paddingBlockStart={{ xs: "0", md: "400" }}>
          <BlockStack gap="200">
            <Text as="h2" variant="headingMd">
              {title}
            </Text>
            {description}
          </BlockStack>
        </Box>
        {children}
      </InlineGrid>
    </section>
  );
}
