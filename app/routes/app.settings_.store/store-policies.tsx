import { useFetcher } from "@remix-run/react";
import { BlockStack, Button, Checkbox, InlineError, Text } from "@shopify/polaris";
import { appBridge } from "../../components/document/app-bridge.ts";
import type { FormPart } from "../app.settings/form-part.ts";
import type { PoliciesView, ScopesView } from "../app.settings/present-settings.ts";

type Option = keyof ScopesView;

/** The fields of the store's form. */
export type StoreValues = {
  helpEmail: string;
  helpPhone: string;
  helpHours: string;
  finderName: string;
  finderUrl: string;
  markFulfilled: boolean;
  tagOrders: boolean;
  startFlows: boolean;
};

/** Chooses what Pathway writes into Shopify. Each is off until wanted: it asks for a permission of its own. */
export function StorePolicies({
  fields,
  saved,
  missingScopes,
}: FormPart<StoreValues> & { saved: Pick<PoliciesView, Option>; missingScopes: ScopesView }) {
  const { values, set } = fields;
  const fetcher = useFetcher();
  const ask = (option: Option) => appBridge()?.scopes?.request(missingScopes[option]);
  /** Turns an option on once the merchant has allowed what it needs. */
  const choose = (option: Option) => async (isOn: boolean) => {
    set(option)(isOn);
    if (!isOn || missingScopes[option].length === 0) return;
    const answer = await ask(option);
    if (answer?.result === "declined-all") set(option)(false);
  };
  const permission = (option: Option) =>
    missingScopes[option].length > 0 ? " Shopify asks you for permission when you turn it on." : "";
  const askAgain = async (option: Option) => {
    await ask(option);
    fetcher.submit({ intent: "read-permissions" }, { method: "post" });
  };
  /** Says why an option that is saved as on does nothing, and offers to ask again. */
  const refusal = (option: Option, cannot: string) =>
    saved[option] && values[option] && missingScopes[option].length > 0 ? (
      <BlockStack gap="200" inlineAlign="start">
        <InlineError
          fieldID={option}
          message={`Shopify doesn’t let Pathway ${cannot}. The permission was taken back, or never given. Allow it, or turn this off.`}
        />
        <Button loading={fetcher.state !== "idle"} onClick={() => void askAgain(option)}>
          Ask for permission
        </Button>
      </BlockStack>
    ) : null;
  return (
    <BlockStack gap="200">
      <Text as="h3" variant="headingMd">
        In Shopify
      </Text>
      <Checkbox
        label="Mark the line as fulfilled once its forms are issued"
        helpText={`Without an email from Shopify: Pathway’s own tells more.${permission("markFulfilled")}`}
        name="markFulfilled"
        value="true"
        checked={values.markFulfilled}
        onChange={(isOn) => void choose("markFulfilled")(isOn)}
      />
      {refusal("markFulfilled", "mark lines as fulfilled")}
      <Checkbox
        label="Tag orders with where their tests stand"
        helpText={`For example “pathway-form-issued”. Nothing about anybody’s health.${permission("tagOrders")}`}
        name="tagOrders"
        value="true"
        checked={values.tagOrders}
        onChange={(isOn) => void choose("tagOrders")(isOn)}
      />
      {refusal("tagOrders", "tag orders")}
      <Checkbox
        label="Start workflows in Shopify Flow"
        helpText="When a referral is issued, when results are ready, when an order needs attention, and when the referral service is away or back."
        name="startFlows"
        value="true"
        checked={values.startFlows}
        onChange={set("startFlows")}
      />
    </BlockStack>
  );
}
