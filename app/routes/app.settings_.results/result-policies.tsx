import {
  Banner,
  BlockStack,
  ChoiceList,
  FormLayout,
  InlineError,
  Text,
  TextField,
} from "@shopify/polaris";
import { NO_REVIEWER, RELEASE_POLICY_CHOICES } from "../../modules/shops/policy-words.ts";
import { MAX_RELEASE_AFTER_HOURS, type ReleasePolicy } from "../../modules/shops/shop.ts";
import { type FormPart, textField } from "../app.settings/form-part.ts";

/** The fields of the results' form. */
export type ResultValues = {
  releasePolicy: ReleasePolicy;
  reviewerName: string;
  reviewerPhone: string;
  reviewerEmail: string;
  contactName: string;
  contactPhone: string;
  releaseAfterHours: string;
  acceptClinicalTexts: boolean;
};

/** From the laboratory to the patient. */
export function ResultPolicies({
  isReviewerRefused,
  ...part
}: FormPart<ResultValues> & { isReviewerRefused: boolean }) {
  const { values, set } = part.fields;
  const holds = values.releasePolicy !== "automatic";
  return (
    <BlockStack gap="400">
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
      {holds && !values.reviewerName && (
        <Banner tone="warning" title={NO_REVIEWER.title}>
          <p>{NO_REVIEWER.text}</p>
        </Banner>
      )}
      <FormLayout>
        <Text as="h3" variant="headingMd">
          Reviewer
        </Text>
        <Text as="p" tone="subdued">
          Reads held results and releases them. Gets an email at once; for a critical result again
          after 1 and 4 hours.
        </Text>
        <TextField label="Name" {...textField(part, "reviewerName")} />
        <FormLayout.Group>
          <TextField
            label="Phone"
            type="tel"
            inputMode="tel"
            {...textField(part, "reviewerPhone")}
          />
          <TextField label="Email" type="email" {...textField(part, "reviewerEmail")} />
        </FormLayout.Group>
        {isReviewerRefused && (
          <InlineError
            fieldID="refused-reviewer"
            message="The last email couldn’t be delivered to the reviewer’s address. Check its spelling, or choose another."
          />
        )}
        <TextField
          label="Show a critical result that nobody reviewed after"
          type="number"
          min={1}
          max={MAX_RELEASE_AFTER_HOURS}
          suffix="hours"
          helpText="The patient then sees it with the advice to see a doctor today, and is asked to ring. Sensitive tests stay held until somebody has told the patient."
          {...textField(part, "releaseAfterHours")}
        />
        <Text as="h3" variant="headingMd">
          Clinical contact for patients
        </Text>
        <Text as="p" tone="subdued">
          Named beside a critical result. Without one, patients are given the reviewer’s number.
        </Text>
        <FormLayout.Group>
          <TextField label="Who answers" {...textField(part, "contactName")} />
          <TextField
            label="Contact’s phone"
            type="tel"
            inputMode="tel"
            {...textField(part, "contactPhone")}
          />
        </FormLayout.Group>
      </FormLayout>
    </BlockStack>
  );
}
