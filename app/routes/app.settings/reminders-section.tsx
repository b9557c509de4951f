import { useFetcher } from "@remix-run/react";
import { Card, FormLayout, Text, TextField } from "@shopify/polaris";
import { useRef } from "react";
import type { FormAnswer } from "../../components/form/form-answer.ts";
import { SettingsSection } from "../../components/form/settings-section.tsx";
import { useAnswer } from "../../components/form/use-answer.ts";
import { useFields } from "../../components/form/use-fields.ts";
import { useUnsaved } from "../../components/save-bar/use-unsaved.ts";
import { REMINDERS_FORM } from "./form-names.ts";
import type { RemindersView } from "./present-settings.ts";

/** When shoppers are asked again for details that are missing, and when that ends. */
export function RemindersSection({ saved }: { saved: RemindersView }) {
  const fetcher = useFetcher<FormAnswer>();
  const ref = useRef<HTMLFormElement>(null);
  const fields = useFields({ ...saved });
  const { values, set } = fields;
  const answer = useAnswer(fetcher, REMINDERS_FORM, fields.reset);
  useUnsaved({
    isDirty: fields.isDirty,
    isSaving: fetcher.state !== "idle",
    save: () => ref.current?.requestSubmit(),
    discard: fields.reset,
  });
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
        <fetcher.Form method="post" ref={ref} noValidate>
          <input type="hidden" name="intent" value="save-reminders" />
          <FormLayout>
            <TextField
              label="Remind on these days"
              name="reminderDays"
              autoComplete="off"
              helpText="Days after the first email, separated by commas. Leave empty for no reminders."
              value={values.reminderDays}
              onChange={set("reminderDays")}
              error={answer?.errors?.reminderDays}
            />
            <TextField
              label="Give up after"
              name="detailsEndDays"
              type="number"
              min={1}
              max={365}
              suffix="days"
              autoComplete="off"
              helpText="The order then needs your attention."
              value={values.detailsEndDays}
              onChange={set("detailsEndDays")}
              error={answer?.errors?.detailsEndDays}
            />
          </FormLayout>
        </fetcher.Form>
      </Card>
    </SettingsSection>
  );
}
