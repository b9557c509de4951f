import { useFetcher } from "@remix-run/react";
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
import { useRef } from "react";
import type { FormAnswer } from "../../components/form/form-answer.ts";
import { SettingsSection } from "../../components/form/settings-section.tsx";
import { useAnswer } from "../../components/form/use-answer.ts";
import { useFields } from "../../components/form/use-fields.ts";
import { Moment } from "../../components/moment/moment.tsx";
import { useUnsaved } from "../../components/save-bar/use-unsaved.ts";
import { DownloadDataExport } from "./download-data-export.tsx";
import { RETENTION_FORM } from "./form-names.ts";
import type { PrivacyRequestView } from "./present-maintenance.ts";

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
          choose “A patient asks for their data”.
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
      </BlockStack>
      {asked.hasExport && <DownloadDataExport id={asked.id} />}
    </InlineStack>
  );
}

function Retention({ months, isChosen }: { months: number | null; isChosen: boolean }) {
  const fetcher = useFetcher<FormAnswer>();
  const ref = useRef<HTMLFormElement>(null);
  const fields = useFields({ months: months === null ? "" : String(months) });
  const answer = useAnswer(fetcher, RETENTION_FORM, fields.reset);
  useUnsaved({
    isDirty: fields.isDirty,
    isSaving: fetcher.state !== "idle",
    save: () => ref.current?.requestSubmit(),
    discard: fields.reset,
  });
  return (
    <fetcher.Form method="post" ref={ref} noValidate>
      <input type="hidden" name="intent" value="save-retention" />
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
        error={answer?.errors?.months}
        helpText="Counted from the last change of a referral or result. Then details, results and documents are destroyed for good, also in the customer’s account. Most Australian states ask for 7 years (84 months)."
        connectedRight={isChosen ? undefined : <Button submit>Confirm</Button>}
      />
    </fetcher.Form>
  );
}
