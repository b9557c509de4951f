import { Card, Text } from "@shopify/polaris";
import { SettingsForm, useSettingsForm } from "../../components/form/settings-form.tsx";
import { SettingsSection } from "../../components/form/settings-section.tsx";
import { POLICIES_FORM } from "../app.settings/form-names.ts";
import type { PoliciesView } from "../app.settings/present-settings.ts";
import { OrderPolicies, type OrderValues } from "./order-policies.tsx";

/** What happens between the payment and the form. */
export function OrdersSection({
  saved,
  refundsWaiting,
}: {
  saved: PoliciesView;
  /** Refunds that wait for a decision. */
  refundsWaiting: number;
}) {
  const { holdOrders, holdHighRisk, strictMode, minimumAge, refundPolicy } = saved;
  const state = useSettingsForm<OrderValues>(POLICIES_FORM, {
    holdOrders,
    holdHighRisk,
    strictMode,
    minimumAge: String(minimumAge),
    refundPolicy,
    waitingRefunds: "leave",
  });
  return (
    <SettingsSection
      title="From payment to form"
      description={
        <Text as="p" tone="subdued">
          What Pathway does by itself, and what waits for you. Changes apply to new orders.
        </Text>
      }
    >
      <Card>
        <SettingsForm state={state} intent="save-orders">
          <OrderPolicies
            fields={state.fields}
            errors={state.errors}
            saved={refundPolicy}
            refundsWaiting={refundsWaiting}
          />
        </SettingsForm>
      </Card>
    </SettingsSection>
  );
}
