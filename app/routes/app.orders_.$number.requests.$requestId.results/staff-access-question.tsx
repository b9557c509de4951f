import { Form, useNavigation } from "@remix-run/react";
import {
  Banner,
  BlockStack,
  Button,
  Card,
  InlineStack,
  Select,
  Text,
  TextField,
} from "@shopify/polaris";
import { useState } from "react";
import { countOf } from "../../modules/kernel/words.ts";
import { STAFF_ACCESS_REASONS } from "../../modules/privacy/staff-access.ts";
import { STAFF_ACCESS_REASON_NAMES } from "../../modules/privacy/staff-access-words.ts";

const CHOICES = [
  { label: "Choose a reason", value: "" },
  ...STAFF_ACCESS_REASONS.map((value) => ({ value, label: STAFF_ACCESS_REASON_NAMES[value] })),
];

/** Asks why, before anybody's results are shown to anybody but the patient. */
export function StaffAccessQuestion({
  held,
  errors,
}: {
  /** How many results wait for a release, which is offered beside what they say. */
  held: number;
  errors: Record<string, string>;
}) {
  const isSending = useNavigation().state !== "idle";
  const [reason, setReason] = useState("");
  const [caseNumber, setCaseNumber] = useState("");
  const { reason: ofReason, caseNumber: ofCase, ...ofRelease } = errors;
  return (
    <Card>
      <Form method="post">
        <BlockStack gap="400">
          {Object.keys(ofRelease).length > 0 && (
            <Banner tone="critical" title="Nothing was released">
              <p>The 15 minutes are over. Open the results again, then release them.</p>
            </Banner>
          )}
          <Banner tone="warning" title="Confidential health information">
            Your Shopify user, the time and the reason are written to the order’s timeline and can’t
            be removed. The results are shown to you alone, for 15 minutes.
          </Banner>
          {held > 0 && (
            <Text as="p">
              {`${countOf(held, "result")} ${held === 1 ? "waits" : "wait"} for a release. You can release ${held === 1 ? "it" : "them"} once you have opened ${held === 1 ? "it" : "them"}.`}
            </Text>
          )}
          <Select
            label="Why do you need to see them?"
            name="reason"
            options={CHOICES}
            value={reason}
            error={ofReason}
            onChange={setReason}
          />
          <TextField
            label="Case number (optional)"
            name="caseNumber"
            helpText="From your help desk. No names, nothing about the patient."
            autoComplete="off"
            maxLength={24}
            value={caseNumber}
            error={ofCase}
            onChange={setCaseNumber}
          />
          <InlineStack>
            <Button submit variant="primary" loading={isSending}>
              Show the results
            </Button>
          </InlineStack>
        </BlockStack>
      </Form>
    </Card>
  );
}
