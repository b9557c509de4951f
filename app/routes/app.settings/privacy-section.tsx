import { useFetcher } from "@remix-run/react";
import { Badge, BlockStack, Card, Divider, InlineStack, Text, TextField } from "@shopify/polaris";
import { useRef } from "react";
import type { FormAnswer } from "../../components/form/form-answer.ts";
import { SettingsSection } from "../../components/form/settings-section.tsx";
import { useAnswer } from "../../components/form/use-answer.ts";
import { useFields } from "../../components/form/use-fields.ts";
import { Moment } from "../../components/moment/moment.tsx";
import { useUnsaved } from "../../components/save-bar/use-unsaved.ts";
import { DownloadPackage } from "./download-package.tsx";
import { RETENTION_FORM } from "./form-names.ts";
import type { DutyView } from "./present-upkeep.ts";

interface Props {
  duties: DutyView[];
  retentionMonths: number | null;
  now: string;
}

/** What customers asked for by way of Shopify, and how long data is kept when nobody asks. */
export function PrivacySection({ duties, retentionMonths, now }: Props) {
  return (
    <SettingsSection
      title="Privacy"
      description={
        <Text as="p" tone="subdued">
          Customers ask in Shopify to see or delete their data; Pathway does what they ask by
          itself.
        </Text>
      }
    >
      <Card>
        <BlockStack gap="500">
          <Retention months={retentionMonths} />
          <Divider />
          <BlockStack gap="300">
            <Text as="h3" variant="headingMd">
              Privacy requests
            </Text>
            {duties.length === 0 ? (
              <Text as="p" tone="subdued">
                None so far. They appear here with what was done, and when.
              </Text>
            ) : (
              duties.map((duty) => <Duty key={duty.id} duty={duty} now={now} />)
            )}
          </BlockStack>
        </BlockStack>
      </Card>
    </SettingsSection>
  );
}

function Duty({ duty, now }: { duty: DutyView; now: string }) {
  return (
    <InlineStack align="space-between" blockAlign="start" gap="200">
      <BlockStack gap="100">
        <InlineStack align="start" gap="200" blockAlign="center">
          <Text as="h4" variant="bodyMd" fontWeight="medium">
            {duty.words}
          </Text>
          {duty.doneAt ? <Badge tone="success">Done</Badge> : <Badge tone="attention">Open</Badge>}
        </InlineStack>
        <Text as="p" tone="subdued">
          {duty.customer && `Customer ${duty.customer}. `}
          Asked <Moment at={duty.askedAt} now={now} />.{" "}
          {duty.doneAt ? (
            <>
              Done <Moment at={duty.doneAt} now={now} />
              {duty.receipt && `: ${duty.receipt}`}.
            </>
          ) : (
            <>
              To be done by <Moment at={duty.dueAt} />.
            </>
          )}
        </Text>
      </BlockStack>
      {duty.hasPackage && <DownloadPackage id={duty.id} />}
    </InlineStack>
  );
}

function Retention({ months }: { months: number | null }) {
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
        max={120}
        suffix="months"
        autoComplete="off"
        placeholder="Not limited"
        value={fields.values.months}
        onChange={fields.set("months")}
        error={answer?.errors?.months}
        helpText="Counted from the last change of a referral or result. Then details, results and documents are destroyed for good, also in the customer’s account. Leave it empty to keep them."
      />
    </fetcher.Form>
  );
}
