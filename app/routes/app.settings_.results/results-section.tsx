import { Card, Text } from "@shopify/polaris";
import { SettingsForm, useSettingsForm } from "../../components/form/settings-form.tsx";
import { SettingsSection } from "../../components/form/settings-section.tsx";
import { POLICIES_FORM } from "../app.settings/form-names.ts";
import type { AcceptedTextsView, PoliciesView } from "../app.settings/present-settings.ts";
import { ClinicalTexts } from "./clinical-texts.tsx";
import { ResultPolicies, type ResultValues } from "./result-policies.tsx";

/** From the laboratory to the patient. */
export function ResultsSection({
  saved,
  accepted,
  isReviewerRefused,
}: {
  saved: PoliciesView;
  accepted: AcceptedTextsView;
  isReviewerRefused: boolean;
}) {
  const { releasePolicy, reviewer, clinicalContact, releaseAfterHours } = saved;
  const state = useSettingsForm<ResultValues>(POLICIES_FORM, {
    releasePolicy,
    reviewerName: reviewer?.name ?? "",
    reviewerPhone: reviewer?.phone ?? "",
    reviewerEmail: reviewer?.email ?? "",
    contactName: clinicalContact?.name ?? "",
    contactPhone: clinicalContact?.phone ?? "",
    releaseAfterHours: String(releaseAfterHours),
    acceptClinicalTexts: false,
  });
  const part = { fields: state.fields, errors: state.errors };
  return (
    <SettingsSection
      title="Release"
      description={
        <Text as="p" tone="subdued">
          When patients see their results, who reviews the ones that are held, and what patients are
          told.
        </Text>
      }
    >
      <SettingsForm state={state} intent="save-results">
        <Card>
          <div id="results">
            <ResultPolicies {...part} isReviewerRefused={isReviewerRefused} />
          </div>
        </Card>
        <Card>
          <ClinicalTexts {...part} accepted={accepted} />
        </Card>
      </SettingsForm>
    </SettingsSection>
  );
}
