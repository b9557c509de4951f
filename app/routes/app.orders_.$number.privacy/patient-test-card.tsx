import { useFetcher } from "@remix-run/react";
import { BlockStack, Button, Card, Checkbox, InlineStack, Text, TextField } from "@shopify/polaris";
import { useState } from "react";
import { appBridge } from "../../components/document/app-bridge.ts";
import { saveFile } from "../../components/download/download-file.ts";
import { ConfirmModal } from "../../components/feedback/confirm-modal.tsx";
import type { FormAnswer } from "../../components/form/form-answer.ts";
import { useAnswer } from "../../components/form/use-answer.ts";
import type { presentPrivacy } from "./present-privacy.ts";

type Test = ReturnType<typeof presentPrivacy>["tests"][number];

/** The data of one test: taken, closed to everybody who is signed in by a link, or deleted, for the patient who asked. */
export function PatientTestCard({ test }: { test: Test }) {
  const fetcher = useFetcher<FormAnswer>();
  const answer = useAnswer(fetcher, test.id);
  const [caseNumber, setCaseNumber] = useState("");
  const [isChecked, setChecked] = useState(false);
  const [isLoading, setLoading] = useState(false);
  const [refused, setRefused] = useState<Record<string, string>>({});
  const modalId = `erase-${test.id}`;
  const signOutId = `sign-out-${test.id}`;
  const wish = (intent: "take" | "sign_out" | "erase") => {
    const form = new FormData();
    const place = { requestId: test.id, seen: test.version };
    const fields = { intent, ...place, caseNumber, isChecked: String(isChecked) };
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    return form;
  };
  const take = async () => {
    setLoading(true);
    setRefused(await saveFile(`${location.pathname}/file`, wish("take"), "patient-data.zip"));
    setLoading(false);
  };
  const errors = { ...answer?.errors, ...refused };
  return (
    <Card>
      <BlockStack gap="400">
        <BlockStack gap="100">
          <Text as="h2" variant="headingMd">
            {test.name}
          </Text>
          <Text as="p" tone="subdued">
            {test.hasDetails ? test.owner : "No details are kept of this test."}
          </Text>
        </BlockStack>
        <TextField
          label="Case number (optional)"
          helpText="From your help desk. No names, nothing about the patient."
          autoComplete="off"
          maxLength={24}
          value={caseNumber}
          error={errors.caseNumber}
          onChange={setCaseNumber}
        />
        <Checkbox
          label="I checked that the patient of this test asks for this"
          helpText="For example by their date of birth and the address that the order has."
          checked={isChecked}
          error={errors.isChecked}
          onChange={setChecked}
        />
        <InlineStack gap="200">
          <Button
            loading={isLoading}
            accessibilityLabel={`Download their data: ${test.name}`}
            onClick={() => void take()}
          >
            Download their data
          </Button>
          <Button
            loading={fetcher.state !== "idle"}
            accessibilityLabel={`Sign out everywhere: ${test.name}`}
            onClick={() => void appBridge()?.modal.show(signOutId)}
          >
            Sign out everywhere
          </Button>
          <Button
            tone="critical"
            loading={fetcher.state !== "idle"}
            accessibilityLabel={`Delete their data: ${test.name}`}
            onClick={() => void appBridge()?.modal.show(modalId)}
          >
            Delete their data
          </Button>
        </InlineStack>
        <ConfirmModal
          id={signOutId}
          title="Sign out everywhere?"
          action="Sign out"
          onConfirm={() => fetcher.submit(wish("sign_out"), { method: "post" })}
        >
          {`${test.visits} Links that nobody has opened yet still work. Your Shopify user and the time are recorded.`}
        </ConfirmModal>
        <ConfirmModal
          id={modalId}
          title="Delete this patient’s data?"
          action="Delete"
          dismiss="Keep the data"
          isDestructive
          onConfirm={() => fetcher.submit(wish("erase"), { method: "post" })}
        >
          {`${test.effect} The same person’s details that the buyer saved for later tests are deleted too. This can’t be undone. Your Shopify user and the time are recorded.`}
        </ConfirmModal>
      </BlockStack>
    </Card>
  );
}
