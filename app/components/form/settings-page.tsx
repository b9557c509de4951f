import { Banner, BlockStack, Box, Page } from "@shopify/polaris";
import type { ReactNode } from "react";
import { useMay } from "../document/use-may.ts";
import { SaveBarProvider } from "../save-bar/save-bar.tsx";

/** One page of the settings, with the way back to all of them. Who may change nothing reads that first. */
export function SettingsPage({ title, children }: { title: string; children: ReactNode }) {
  const may = useMay();
  return (
    <Page title={title} backAction={{ content: "Settings", url: "/app/settings" }}>
      <SaveBarProvider>
        <BlockStack gap={{ xs: "800", sm: "600" }}>
          {!may("change_policies") && (
            <Banner tone="info" title="Only managers can change settings and connections.">
              <p>Ask a manager, who can change your role in Settings, Team.</p>
            </Banner>
          )}
          {children}
        </BlockStack>
        <Box paddingBlockEnd="800" />
      </SaveBarProvider>
    </Page>
  );
}
