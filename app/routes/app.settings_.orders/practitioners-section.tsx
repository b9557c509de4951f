import { Button, Card, InlineStack, Text } from "@shopify/polaris";
import { SettingsSection } from "../../components/form/settings-section.tsx";

/** Where the doctors of Medicare tests are kept: they have a page of their own. */
export function PractitionersSection() {
  return (
    <SettingsSection
      title="Practitioners"
      description={
        <Text as="p" tone="subdued">
          Only for products with tests under Medicare: a doctor orders those.
        </Text>
      }
    >
      <Card>
        <InlineStack align="space-between" blockAlign="center" gap="300">
          <Text as="p">Doctors, their addresses and provider numbers</Text>
          <Button url="/app/practitioners">Manage practitioners</Button>
        </InlineStack>
      </Card>
    </SettingsSection>
  );
}
