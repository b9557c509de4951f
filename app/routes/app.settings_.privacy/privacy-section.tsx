import {
  Badge,
  BlockStack,
  Button,
  Card,
  Divider,
  InlineStack,
  Text,
  TextField,
} from "@shopify/polaris";
import { useMay } from "../../components/document/use-may.ts";
import { SettingsForm, useSettingsForm } from "../../components/form/settings-form.tsx";
import { SettingsSection } from "../../components/form/settings-section.tsx";
import { Moment } from "../../components/moment/moment.tsx";
import { RETENTION_FORM } from "../app.settings/form-names.ts";
import type { PrivacyRequestView } from "../app.settings/present-maintenance.ts";
import { DownloadDataExport } from "./download-data-export.tsx";

interface Props {
  privacyRequests: PrivacyRequestView[];
  retentionMonths: number | null;
  isRetentionChosen: boolean;
  /** Sentences about what happens by itself to stored data just now. */
  keyWork: string[];
  now: string;
}

/** Lists what customers asked for by way of Shopify, and how long data is kept when nobody asks. */
export function PrivacySection(props: Props) {
  const { privacyRequests, retentionMonths, isRetentionChosen, keyWork, now } = props;
  return (
    <SettingsSection
      title="Privacy"
      description={
        <Text as="p" tone="subdued">
          Customers ask in Shopify to see or delete their data; Pathway does what they ask by
          itself. When a patient asks you instead, open the order in “Orders and referrals” and
          choose “Download or delete a patient’s data”.
        </Text>
      }
    >
      <Card>
        <BlockStack gap="500">
          <Retention months={retentionMonths} isChosen={isRetentionChosen} />
          <Divider />
          {keyWork.map((sentence) => (
            <Text as="p" tone="subdued" key={sentence}>
              {sentence}
            </Text>
          ))}
          <BlockStack gap="300">
            <Text as="h3" variant="headingMd">
              Privacy requests
            </Text>
            {privacyRequests.length === 0 ? (
              <Text as="p" tone="subdued">
                None so far. They appear here with what was done, and when.
              </Text>
            ) : (
              privacyRequests.map((asked) => (
                <PrivacyRequest key={asked.id} asked={asked} now={now} />
              ))
            )}
          </BlockStack>
        </BlockStack>
      </Card>
    </SettingsSection>
  );
}

function PrivacyRequest({ asked, now }: { asked: PrivacyRequestView; now: string }) {
  const may = useMay();
  return (
    <InlineStack align="space-between" blockAlign="start" gap="200">
      <BlockStack gap="100">
        <InlineStack align="start" gap="200" blockAlign="center">
          <Text as="h4" variant="bodyMd" fontWeight="medium">
            {asked.words}
          </Text>
          {asked.doneAt ? <Badge tone="success">Done</Badge> : <Badge tone="attention">Open</Badge>}
        </InlineStack>
        <Text as="p" tone="subdued">
          {asked.customer && `Customer ${asked.customer}. `}
          Asked <Moment at={asked.askedAt} now={now} />.{" "}
          {asked.doneAt ? (
            <>
              Done <Moment at={asked.doneAt} now={now} />
              {asked.receipt && `: ${asked.receipt}`}.
            </>
          ) : (
            <>
              To be done by <Moment at={asked.dueAt} />.
            </>
          )}
        </Text>
        {asked.held && <Text as="p">{asked.held}</Text>}
      </BlockStack>
      {asked.hasExport && may("export_data") && <DownloadDataExport id={asked.id} />}
    </InlineStack>
  );
}

function Retention({ months, isChosen }: { months: number | null; isChosen: boolean }) {
  const state = useSettingsForm(RETENTION_FORM, { months: months === null ? "" : String(months) });
  const { fields, errors } = state;
  return (
    <SettingsForm state={state} intent="save-retention">
      <TextField
        label="Keep patients’ data for"
        name="months"
        type="number"
        min={1}
        max={300}
        suffix="months"
        autoComplete="off"
        value={fields.values.months}
        onChange={fields.set("months")}
        error={errors.months}
        helpText="Counted from the last change of a referral or result. Then details, results and documents are destroyed for good, also in the customer’s account. Most Australian states ask for 7 years (84 months)."
        connectedRight={isChosen ? undefined : <Button submit>Confirm</Button>}
      />
    </SettingsForm>
  );
}
