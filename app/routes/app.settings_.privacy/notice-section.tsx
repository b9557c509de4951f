import {
  Banner,
  BlockStack,
  Card,
  Divider,
  FormLayout,
  Select,
  Text,
  TextField,
} from "@shopify/polaris";
import { SettingsForm, useSettingsForm } from "../../components/form/settings-form.tsx";
import { SettingsSection } from "../../components/form/settings-section.tsx";
import { NOTICE_FORM } from "../app.settings/form-names.ts";
import { textField } from "../app.settings/form-part.ts";
import type { NoticeTextView, NoticeView } from "../app.settings/present-settings.ts";

const OVERSEAS = [
  { value: "unanswered", label: "Not answered" },
  { value: "no", label: "No" },
  { value: "yes", label: "Yes" },
];

/** What people read before they give a patient's details, and the parts of it that only the shop knows. */
export function NoticeSection({ saved, text }: { saved: NoticeView; text: NoticeTextView }) {
  const state = useSettingsForm(NOTICE_FORM, { ...saved });
  const { values, set } = state.fields;
  return (
    <SettingsSection
      title="Collection notice"
      description={
        <Text as="p" tone="subdued">
          People read this notice and agree to it before they give a patient’s details. Each consent
          keeps the words that were shown.
        </Text>
      }
    >
      <Card>
        <BlockStack gap="400">
          <Banner tone="info" title="A template for your lawyer">
            <p>
              The notice follows Australian Privacy Principle 5. Have a lawyer read it before real
              orders come in. Pathway can’t know whether it fits your business.
            </p>
          </Banner>
          <SettingsForm state={state} intent="save-notice">
            <FormLayout>
              <TextField
                label="Who gets the details"
                placeholder="Example Pathology Services Pty Ltd"
                helpText="The pathology service and its laboratories, by name."
                {...textField(state, "recipient")}
              />
              <Select
                label="Is this information sent outside Australia?"
                name="overseas"
                options={OVERSEAS}
                value={values.overseas}
                onChange={set("overseas")}
                helpText="Think of the service, the laboratories, your email provider and where Pathway is hosted. Until you answer, the notice tells people to ask you."
              />
              {values.overseas === "yes" && (
                <TextField
                  label="Countries"
                  placeholder="New Zealand and Germany"
                  {...textField(state, "countries")}
                />
              )}
              <TextField
                label="Privacy policy"
                type="url"
                helpText="Without an address, the policy page of your store is linked."
                {...textField(state, "policyUrl")}
              />
              <TextField
                label="Complaints to"
                placeholder="Privacy officer, privacy@example.com, 02 9000 0000"
                helpText="Named before the Office of the Australian Information Commissioner."
                {...textField(state, "complaints")}
              />
            </FormLayout>
          </SettingsForm>
          <Divider />
          <Text as="h3" variant="headingMd">
            The notice as saved (version {text.version})
          </Text>
          {[...text.paragraphs, text.consent].map((paragraph) => (
            <Text as="p" key={paragraph}>
              {paragraph}
            </Text>
          ))}
        </BlockStack>
      </Card>
    </SettingsSection>
  );
}
