import { BlockStack, Checkbox, List, Text } from "@shopify/polaris";
import { Moment } from "../../components/moment/moment.tsx";
import { CLINICAL_TEXTS } from "../../modules/referrals/clinical-texts.ts";
import type { FormPart } from "../app.settings/form-part.ts";
import type { AcceptedTextsView } from "../app.settings/present-settings.ts";
import type { ResultValues } from "./result-policies.tsx";

/** The sentences that tell patients what to do about a result, and whether the shop stands behind them. */
export function ClinicalTexts({
  fields,
  errors,
  accepted,
}: FormPart<ResultValues> & { accepted: AcceptedTextsView }) {
  const { values, set } = fields;
  return (
    <div id="clinical-texts">
      <BlockStack gap="400">
        <Text as="h3" variant="headingMd">
          What patients are told about a result
        </Text>
        <Text as="p">
          These sentences stand above a result that needs a doctor. The last one stands where a
          patient is asked to ring, or to open results today. No clinician has reviewed them yet:
          have yours read them before you go live.
        </Text>
        <List>
          {Object.entries(CLINICAL_TEXTS).map(([key, { text }]) => (
            <List.Item key={key}>{text.replace("{count}", "2")}</List.Item>
          ))}
        </List>
        {accepted?.isCurrent ? (
          <Text as="p" tone="subdued">
            Accepted <Moment at={accepted.at} />
          </Text>
        ) : (
          <Checkbox
            label="We have read these texts and accept them"
            helpText={
              accepted
                ? "The texts have changed since you accepted them."
                : "Needed before orders go to production."
            }
            name="acceptClinicalTexts"
            value="true"
            checked={values.acceptClinicalTexts}
            onChange={set("acceptClinicalTexts")}
            error={errors.acceptClinicalTexts}
          />
        )}
      </BlockStack>
    </div>
  );
}
