import { Card, ChoiceList, Text } from "@shopify/polaris";
import { SettingsForm, useSettingsForm } from "../../components/form/settings-form.tsx";
import { SettingsSection } from "../../components/form/settings-section.tsx";
import { EMAIL_CHOICES } from "../../modules/shops/policy-words.ts";
import { POLICIES_FORM } from "../app.settings/form-names.ts";

/** Who emails the form to the customer. */
export function FormEmailSection({ isByService }: { isByService: boolean }) {
  const state = useSettingsForm(POLICIES_FORM, { emailBy: isByService ? "service" : "pathway" });
  const { values, set } = state.fields;
  return (
    <SettingsSection
      title="Form email"
      description={
        <Text as="p" tone="subdued">
          Customers get one email when their referral form is ready.
        </Text>
      }
    >
      <Card>
        <SettingsForm state={state} intent="save-notifications">
          <ChoiceList
            title="Who emails customers that the form is ready"
            name="emailBy"
            choices={[...EMAIL_CHOICES]}
            selected={[values.emailBy]}
            onChange={([value]) => set("emailBy")(value ?? "pathway")}
          />
        </SettingsForm>
      </Card>
    </SettingsSection>
  );
}
