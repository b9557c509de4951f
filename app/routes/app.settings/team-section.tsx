import { Button, Card, InlineStack, Text } from "@shopify/polaris";
import { SettingsSection } from "../../components/form/settings-section.tsx";

/** Where roles are given, and where changes of settings can be read: a page of their own. */
export function TeamSection() {
  return (
    <SettingsSection
      title="Team"
      description={
        <Text as="p" tone="subdued">
          Choose who may see results, release them, download data and change settings.
        </Text>
      }
    >
      <Card>
        <InlineStack align="space-between" blockAlign="center" gap="300">
          <Text as="p">Roles of your staff, and who changed what</Text>
          <Button url="/app/settings/team">Manage team</Button>
        </InlineStack>
      </Card>
    </SettingsSection>
  );
}
