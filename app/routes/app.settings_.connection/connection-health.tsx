import { useFetcher } from "@remix-run/react";
import { Badge, Banner, BlockStack, Button, InlineStack, List, Text } from "@shopify/polaris";
import { useMay } from "../../components/document/use-may.ts";
import { OutageText } from "../../components/feedback/outage-banner.tsx";
import type { FormAnswer } from "../../components/form/form-answer.ts";
import { useAnswer } from "../../components/form/use-answer.ts";
import { Moment } from "../../components/moment/moment.tsx";
import { FIRST_GO_BACK } from "../../modules/lifecycle/change-connection-words.ts";
import { ENVIRONMENT_NAMES } from "../../modules/lifecycle/connection-words.ts";
import type { Environment } from "../../modules/shops/connection.ts";
import { connectionForm } from "../app.settings/form-names.ts";
import type { ConnectionView } from "../app.settings/present-settings.ts";
import { Disconnect } from "./disconnect.tsx";

type Props = Pick<ConnectionView, "environment" | "connection"> & {
  now: string;
  ordersGoTo: Environment;
};

/** Whether the connection works, in words, with what to do when it does not. */
export function ConnectionHealth({ environment, connection, now, ordersGoTo }: Props) {
  const fetcher = useFetcher<FormAnswer>();
  useAnswer(fetcher, connectionForm(environment));
  const may = useMay();
  if (!connection)
    return (
      <BlockStack gap="200">
        <InlineStack align="space-between" blockAlign="center">
          <Text as="h3" variant="headingMd">
            Connect {ENVIRONMENT_NAMES[environment].toLowerCase()}
          </Text>
          <Badge>Not connected</Badge>
        </InlineStack>
        <Text as="p" tone="subdued">
          In the referral service, go to Settings, API Keys and create a key. Then copy its client
          ID and client secret here.
        </Text>
      </BlockStack>
    );
  const mayDisconnect = may("change_credentials");
  const isLive = environment === "production" && ordersGoTo === "production";
  const { failure, outage, isRefused, lastTestedAt, unreadable } = connection;
  return (
    <BlockStack gap="400">
      <InlineStack align="space-between" blockAlign="center" gap="200">
        <InlineStack align="start" gap="200" blockAlign="center">
          <Text as="h3" variant="headingMd">
            {ENVIRONMENT_NAMES[environment]}
          </Text>
          {failure ? (
            <Badge tone="critical">Not working</Badge>
          ) : outage ? (
            <Badge tone="critical">{outage.badge}</Badge>
          ) : lastTestedAt ? (
            <Badge tone="success">Connected</Badge>
          ) : (
            <Badge tone="attention">Not tested</Badge>
          )}
        </InlineStack>
        <InlineStack align="start" gap="200" blockAlign="center">
          {mayDisconnect && !isLive && (
            <Disconnect environment={environment} ordersGoTo={ordersGoTo} />
          )}
          <Button
            loading={fetcher.state !== "idle"}
            onClick={() =>
              fetcher.submit({ intent: "test-connection", environment }, { method: "post" })
            }
          >
            Test connection
          </Button>
        </InlineStack>
      </InlineStack>
      {outage && <OutageText outage={outage} />}
      {failure && (!outage || isRefused) && (
        <Banner tone="critical" title={failure.sentence}>
          <p>{failure.nextStep}</p>
        </Banner>
      )}
      {unreadable.length > 0 && (
        <Banner tone="warning" title="The service sent entries that Pathway can’t read">
          <BlockStack gap="200">
            <p>
              They hold up nothing else. Send these ids to the service’s support and to Pathway’s.
            </p>
            <List>
              {unreadable.map((entry) => (
                <List.Item key={entry}>{entry}</List.Item>
              ))}
            </List>
          </BlockStack>
        </Banner>
      )}
      <Text as="p" tone="subdued">
        {lastTestedAt ? (
          <>
            Last tested <Moment at={lastTestedAt} now={now} />.
          </>
        ) : (
          "Not tested yet."
        )}
        {mayDisconnect && isLive && ` ${FIRST_GO_BACK}`}
      </Text>
    </BlockStack>
  );
}
