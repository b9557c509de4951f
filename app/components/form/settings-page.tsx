import { BlockStack, Box, Page } from "@shopify/polaris";
import type { ReactNode } from "react";
import { SaveBarProvider } from "../save-bar/save-bar.tsx";

/** One page of the settings, with the way back to all of them. */
export function SettingsPage({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Page title={title} backAction={{ content: "Settings", url: "/app/settings" }}>
      <SaveBarProvider>
        <BlockStack gap={{ xs: "800", sm: "600" }}>{children}</BlockStack>
        <Box paddingBlockEnd="800" />
      </SaveBarProvider>
    </Page>
  );
}
