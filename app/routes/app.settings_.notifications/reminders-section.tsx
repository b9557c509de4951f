import { Card, FormLayout, Text, TextField } from "@shopify/polaris";
import { SettingsForm, useSettingsForm } from "../../components/form/settings-form.tsx";
import { SettingsSection } from "../../components/form/settings-section.tsx";
import { REMINDERS_FORM } from "../app.settings/form-names.ts";
import type { RemindersView } from "../app.settings/present-settings.ts";

/** When customers are asked again for details that are missing, and when that ends. */
export function RemindersSection({ saved }: { saved: RemindersView }) {
  const state = useSettingsForm(REMINDERS_FORM, { ...saved });
  const {
    fields: { values, set },
    errors,
  } = state;
  return (
    <SettingsSection
      title="Reminders"
      description={
        <Text as="p" tone="subdued">
          Nothing can be ordered before the patient’s details are there. Pathway asks for them by
          email, in your shop’s name and without a word about anybody’s health.
        </Text>
      }
    >
      <Card>
        <SettingsForm state={state} intent="save-reminders">
          <FormLayout>
            <TextField
              label="Remind on these days"
              name="reminderDays"
              autoComplete="off"
              helpText="Days after the first email, separated by commas. Leave empty for no reminders."
              value={values.reminderDays}
              onChange={set("reminderDays")}
              error={errors.reminderDays}
            />
            <TextField
              label="Stop reminding after"
              name="detailsEndDays"
              type="number"
              min={1}
              max={365}
              suffix="days"
              autoComplete="off"
              helpText="The order then needs your attention."
              value={values.detailsEndDays}
              onChange={set("detailsEndDays")}
              error={errors.detailsEndDays}
            />
          </FormLayout>
        </SettingsForm>
      </Card>
    </SettingsSection>
  );
}
