import { BlockStack, Card, Link, Text } from "@shopify/polaris";
import { SettingsSection } from "../../components/form/settings-section.tsx";
import { ENVIRONMENT_NOTES } from "../../modules/lifecycle/change-connection-words.ts";
import { ENVIRONMENT_NAMES } from "../../modules/lifecycle/connection-words.ts";
import type { Environment } from "../../modules/shops/connection.ts";
import type { ConnectionView } from "../app.settings/present-settings.ts";
import { ConnectionForm } from "./connection-form.tsx";
import { ConnectionHealth } from "./connection-health.tsx";

export const connectionTitle = ({ environment }: Pick<ConnectionView, "environment">) =>
  `${ENVIRONMENT_NAMES[environment]} connection`;

/** One environment of the service: how it is doing, and the form that connects it. */
export function ConnectionSection({
  environment,
  serviceUrl,
  connection,
  now,
  ordersGoTo,
}: ConnectionView & { now: string; ordersGoTo: Environment }) {
  return (
    <SettingsSection
      title={connectionTitle({ environment })}
      description={
        <>
          <Text as="p" tone="subdued">
            {ENVIRONMENT_NOTES[environment]}
          </Text>
          {serviceUrl && (
            <Text as="p">
              <Link url={serviceUrl} target="_blank">
                Open the referral service
              </Link>
            </Text>
          )}
        </>
      }
    >
      <Card>
        <BlockStack gap="500">
          <ConnectionHealth
            environment={environment}
            connection={connection}
            now={now}
            ordersGoTo={ordersGoTo}
          />
          <ConnectionForm environment={environment} connection={connection} now={now} />
        </BlockStack>
      </Card>
    </SettingsSection>
  );
}
