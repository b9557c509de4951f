import { BlockStack, Box, Checkbox, ChoiceList, FormLayout, TextField } from "@shopify/polaris";
import {
  askAboutWaiting,
  HIGH_RISK_CHOICES,
  REFUND_POLICY_CHOICES,
  WAITING_CHOICES,
  type WaitingRefunds,
} from "../../modules/shops/policy-words.ts";
import type { RefundPolicy } from "../../modules/shops/shop.ts";
import type { FormPart } from "../app.settings/form-part.ts";

/** The fields of the orders' form. */
export type OrderValues = {
  holdOrders: boolean;
  holdHighRisk: boolean;
  strictMode: boolean;
  minimumAge: string;
  refundPolicy: RefundPolicy;
  waitingRefunds: WaitingRefunds;
};

interface Props extends FormPart<OrderValues> {
  saved: RefundPolicy;
  refundsWaiting: number;
}

/** From the payment to the form. */
export function OrderPolicies({ fields, errors, saved, refundsWaiting }: Props) {
  const { values, set } = fields;
  return (
    <FormLayout>
      <BlockStack>
        <Checkbox
          label="Hold every order for review"
          helpText="Nothing is sent until somebody releases it on the order’s page."
          name="holdOrders"
          value="true"
          checked={values.holdOrders}
          onChange={set("holdOrders")}
        />
        <Checkbox
          label="Always ask before retrying"
          helpText="When an answer of the service gets lost, Pathway checks with the service, and sends nothing again without a person’s decision."
          name="strictMode"
          value="true"
          checked={values.strictMode}
          onChange={set("strictMode")}
        />
      </BlockStack>
      <ChoiceList
        title="Orders that Shopify assesses as high-risk"
        name="highRiskOrders"
        choices={[...HIGH_RISK_CHOICES]}
        selected={[values.holdHighRisk ? "hold" : "order"]}
        onChange={([value]) => set("holdHighRisk")(value === "hold")}
      />
      <TextField
        label="Minimum age of the patient"
        name="minimumAge"
        type="number"
        min={0}
        max={120}
        suffix="years"
        autoComplete="off"
        value={values.minimumAge}
        onChange={set("minimumAge")}
        error={errors.minimumAge}
      />
      <ChoiceList
        title="When a test is refunded or removed before it has results"
        name="refundPolicy"
        choices={[...REFUND_POLICY_CHOICES]}
        selected={[values.refundPolicy]}
        onChange={([value]) => {
          const chosen = REFUND_POLICY_CHOICES.find((one) => one.value === value);
          if (chosen) set("refundPolicy")(chosen.value);
          // An answer does not outlive its question.
          set("waitingRefunds")("leave");
        }}
      />
      {saved === "ask" && values.refundPolicy === "automatic" && refundsWaiting > 0 && (
        <Box background="bg-surface-caution" padding="400" borderRadius="200">
          <input type="hidden" name="waitingCount" value={refundsWaiting} />
          <ChoiceList
            title={askAboutWaiting(refundsWaiting)}
            name="waitingRefunds"
            choices={[...WAITING_CHOICES]}
            selected={[values.waitingRefunds]}
            onChange={([value]) => set("waitingRefunds")(value === "cancel" ? "cancel" : "leave")}
            error={errors.waitingRefunds}
          />
        </Box>
      )}
    </FormLayout>
  );
}
