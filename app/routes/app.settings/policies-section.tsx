import { useFetcher } from "@remix-run/react";
import {
  BlockStack,
  Card,
  Checkbox,
  ChoiceList,
  FormLayout,
  Select,
  Text,
  TextField,
} from "@shopify/polaris";
import { useRef } from "react";
import type { FormAnswer } from "../../components/form/form-answer.ts";
import { SettingsSection } from "../../components/form/settings-section.tsx";
import { useAnswer } from "../../components/form/use-answer.ts";
import { useFields } from "../../components/form/use-fields.ts";
import { useUnsaved } from "../../components/save-bar/use-unsaved.ts";
import type { Environment } from "../../domain/connections/connection.ts";
import { ENVIRONMENT_NAMES } from "../../messages/connection.ts";
import { REFUND_POLICY_CHOICES, RELEASE_POLICY_CHOICES } from "../../messages/policies.ts";
import { POLICIES_FORM } from "./form-names.ts";
import type { PoliciesView } from "./present-settings.ts";

interface Props {
  saved: PoliciesView;
  connected: Environment[];
}

/** How the shop wants its orders and results handled. */
export function PoliciesSection({ saved, connected }: Props) {
  const fetcher = useFetcher<FormAnswer>();
  const ref = useRef<HTMLFormElement>(null);
  const fields = useFields({ ...saved, minimumAge: String(saved.minimumAge) });
  const { values, set } = fields;
  const answer = useAnswer(fetcher, POLICIES_FORM, fields.reset);
  useUnsaved({
    isDirty: fields.isDirty,
    isSaving: fetcher.state !== "idle",
    save: () => ref.current?.requestSubmit(),
    discard: fields.reset,
  });
  const environments = [...new Set([saved.environment, ...connected])];
  return (
    <SettingsSection
      title="Orders and results"
      description={
        <Text as="p" tone="subdued">
          What Pathway does by itself, and what waits for you. Changes apply to what happens from
          now on.
        </Text>
      }
    >
      <Card>
        <fetcher.Form method="post" ref={ref} noValidate>
          <input type="hidden" name="intent" value="save-policies" />
          <FormLayout>
            <Select
              label="New orders go to"
              name="environment"
              options={environments.map((value) => ({ value, label: ENVIRONMENT_NAMES[value] }))}
              value={values.environment}
              onChange={(value) => {
                const chosen = environments.find((one) => one === value);
                if (chosen) set("environment")(chosen);
              }}
              helpText="Shopify’s test orders always go to staging. Each environment has its own mapping."
              error={answer?.errors?.environment}
            />
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
                label="Strict mode"
                helpText="When an answer of the service gets lost, never send again without a person’s decision."
                name="strictMode"
                value="true"
                checked={values.strictMode}
                onChange={set("strictMode")}
              />
            </BlockStack>
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
              error={answer?.errors?.minimumAge}
            />
            <ChoiceList
              title="When patients see their results"
              name="releasePolicy"
              choices={[...RELEASE_POLICY_CHOICES]}
              selected={[values.releasePolicy]}
              onChange={([value]) => {
                const chosen = RELEASE_POLICY_CHOICES.find((one) => one.value === value);
                if (chosen) set("releasePolicy")(chosen.value);
              }}
            />
            <ChoiceList
              title="When a test is refunded or removed before it has results"
              name="refundPolicy"
              choices={[...REFUND_POLICY_CHOICES]}
              selected={[values.refundPolicy]}
              onChange={([value]) => {
                const chosen = REFUND_POLICY_CHOICES.find((one) => one.value === value);
                if (chosen) set("refundPolicy")(chosen.value);
              }}
            />
          </FormLayout>
        </fetcher.Form>
      </Card>
    </SettingsSection>
  );
}
