import { useFetcher } from "@remix-run/react";
import { BlockStack, Button, Card, Divider, InlineStack, Text, TextField } from "@shopify/polaris";
import { useState } from "react";
import type { FormAnswer } from "../../components/form/form-answer.ts";
import { SettingsSection } from "../../components/form/settings-section.tsx";
import { useAnswer } from "../../components/form/use-answer.ts";
import { useRereading } from "../../components/loading/use-rereading.ts";
import { Moment } from "../../components/moment/moment.tsx";
import { ProgressBar } from "../../components/progress/progress-bar.tsx";
import { OLD_ORDERS_NOTE } from "../../modules/reports/maintenance-words.ts";
import { IMPORT_FORM, ORDER_IMPORT_FORM } from "../app.settings/form-names.ts";
import type { OrderImportView } from "../app.settings/present-maintenance.ts";

interface Props {
  orderImport: OrderImportView | null;
  suggestedSince: string;
  /** Orders placed before this day are not shown by Shopify. */
  visibleSince: string;
  lastRegularAt: string | null;
  now: string;
}

const REFRESH_MS = 2_000;

/** Orders whose message from Shopify never came: looking for them, and bringing in a single one. */
export function OrderImportSection(props: Props) {
  return (
    <SettingsSection
      title="Import orders"
      description={
        <Text as="p" tone="subdued">
          Pathway hears of paid orders from Shopify at once. In case a message gets lost, it looks
          through the last two days of orders every hour.
          {props.lastRegularAt && (
            <>
              {" "}
              Last time <Moment at={props.lastRegularAt} now={props.now} />.
            </>
          )}
        </Text>
      }
    >
      <Card>
        <BlockStack gap="500">
          <ImportOrdersCard {...props} />
          <Divider />
          <ImportOne />
        </BlockStack>
      </Card>
    </SettingsSection>
  );
}

function ImportOrdersCard({ orderImport, suggestedSince, visibleSince, now }: Props) {
  const fetcher = useFetcher<FormAnswer>();
  const answer = useAnswer(fetcher, ORDER_IMPORT_FORM);
  const [since, setSince] = useState(suggestedSince);
  const isRunning = orderImport?.isRunning ?? false;
  useRereading(isRunning, REFRESH_MS);
  return (
    <fetcher.Form method="post" noValidate>
      <BlockStack gap="400">
        <Text as="h3" variant="headingMd" id="import-orders">
          Import orders
        </Text>
        <TextField
          label="Changed since"
          name="since"
          type="date"
          autoComplete="off"
          value={since}
          onChange={setSince}
          disabled={isRunning}
          error={answer?.errors?.since}
          helpText={since && since < visibleSince ? OLD_ORDERS_NOTE : undefined}
        />
        {orderImport && (
          <BlockStack gap="200">
            {isRunning && <ProgressBar percent={orderImport.percent} labelledBy="import-orders" />}
            <div role="status">
              <Text as="p">
                {isRunning ? `Looking… ${orderImport.percent}%. ` : ""}
                {orderImport.wasStopped ? "Stopped. " : ""}
                {isRunning && orderImport.percent === 0 ? "" : orderImport.findings}
              </Text>
            </div>
            {isRunning && orderImport.standstill && (
              <Text as="p" tone="caution">
                {orderImport.standstill}
              </Text>
            )}
            {!isRunning && (
              <Text as="p" tone="subdued">
                Looked <Moment at={orderImport.at} now={now} />.
              </Text>
            )}
          </BlockStack>
        )}
        <InlineStack align="end">
          {isRunning ? (
            <Button
              loading={fetcher.state !== "idle"}
              onClick={() => fetcher.submit({ intent: "stop-looking" }, { method: "post" })}
            >
              Stop
            </Button>
          ) : (
            <>
              <input type="hidden" name="intent" value="import-orders" />
              <Button submit loading={fetcher.state !== "idle"}>
                Import orders
              </Button>
            </>
          )}
        </InlineStack>
      </BlockStack>
    </fetcher.Form>
  );
}

function ImportOne() {
  const fetcher = useFetcher<FormAnswer>();
  const [order, setOrder] = useState("");
  const answer = useAnswer(fetcher, IMPORT_FORM, () => setOrder(""));
  return (
    <fetcher.Form method="post" noValidate>
      <input type="hidden" name="intent" value="import-order" />
      <TextField
        label="Import one order"
        name="order"
        placeholder="#1001"
        autoComplete="off"
        spellCheck={false}
        value={order}
        onChange={setOrder}
        error={answer?.errors?.order}
        helpText="A paid order that Shopify knows and Pathway doesn’t list. Each of its mapped tests gets a referral."
        connectedRight={
          <Button submit loading={fetcher.state !== "idle"}>
            Import
          </Button>
        }
      />
    </fetcher.Form>
  );
}
