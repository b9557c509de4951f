import { Banner, BlockStack, Card, Text } from "@shopify/polaris";
import { useMay } from "../../components/document/use-may.ts";
import { SettingsSection } from "../../components/form/settings-section.tsx";
import type { AlertsView } from "../app.settings/present-settings.ts";
import { AlertRecipient } from "./alert-recipient.tsx";

/** Whom Pathway emails when the shop should know something, and of what. */
export function AlertsSection({ saved }: { saved: AlertsView }) {
  const may = useMay();
  const { recipients, isMissing, isFull, sentence } = saved;
  return (
    <SettingsSection
      title="Alerts"
      description={
        <Text as="p" tone="subdued">
          Emails to you and your staff. None of them names a patient, a product or a result. Emails
          about held results always go to their reviewer and to your shop’s contact address.
        </Text>
      }
    >
      <BlockStack gap="400">
        {isMissing && (
          <Banner tone="warning" title={sentence}>
            <Text as="p">
              Paid orders wait while the referral service is away. Tick Outages for at least one
              address.
            </Text>
          </Banner>
        )}
        {recipients.map((recipient) => (
          <Card key={recipient.id}>
            <AlertRecipient recipient={recipient} />
          </Card>
        ))}
        {!isFull && may("change_policies") && (
          <Card>
            <AlertRecipient recipient={null} />
          </Card>
        )}
      </BlockStack>
    </SettingsSection>
  );
}
