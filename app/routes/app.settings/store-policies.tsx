import { BlockStack, Checkbox, Text } from "@shopify/polaris";
import { appBridge } from "../../components/document/app-bridge.ts";
import type { PolicyPart } from "./policy-values.ts";
import type { ScopesView } from "./present-settings.ts";

/** Chooses what Pathway writes into Shopify. Each is off until wanted: it asks for a permission of its own. */
export function StorePolicies({
  fields,
  missingScopes,
}: PolicyPart & { missingScopes: ScopesView }) {
  const { values, set } = fields;
  /** Turns an option on once the merchant has allowed what it needs. */
  const choose = (option: keyof ScopesView) => async (isOn: boolean) => {
    set(option)(isOn);
    if (!isOn || missingScopes[option].length === 0) return;
    const answer = await appBridge()?.scopes?.request(missingScopes[option]);
    if (answer?.result === "declined-all") set(option)(false);
  };
  const permission = (option: keyof ScopesView) =>
    missingScopes[option].length > 0 ? " Shopify asks you for permission when you turn it on." : "";
  return (
    <BlockStack gap="200">
      <Text as="h3" variant="headingMd">
        In your store
      </Text>
      <Checkbox
        label="Mark the line as fulfilled once its forms are issued"
        helpText={`Without a mail from Shopify: Pathway’s own tells more.${permission("markFulfilled")}`}
        name="markFulfilled"
        value="true"
        checked={values.markFulfilled}
        onChange={(isOn) => void choose("markFulfilled")(isOn)}
      />
      <Checkbox
        label="Tag orders with where their tests stand"
        helpText={`For example “pathway-form-issued”. Nothing about anybody’s health.${permission("tagOrders")}`}
        name="tagOrders"
        value="true"
        checked={values.tagOrders}
        onChange={(isOn) => void choose("tagOrders")(isOn)}
      />
      <Checkbox
        label="Start workflows in Shopify Flow"
        helpText="When a referral is issued, when results are ready, and when an order needs attention."
        name="startFlows"
        value="true"
        checked={values.startFlows}
        onChange={set("startFlows")}
      />
    </BlockStack>
  );
}
