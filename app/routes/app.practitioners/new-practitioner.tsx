import { useFetcher } from "@remix-run/react";
import { BlockStack, Button, Card, InlineStack, Text } from "@shopify/polaris";
import type { FormAnswer } from "../../components/form/form-answer.ts";
import { useAnswer } from "../../components/form/use-answer.ts";
import { useFields } from "../../components/form/use-fields.ts";
import { PractitionerFields } from "./practitioner-fields.tsx";

const EMPTY = { label: "", name: "", address: "", providerNumber: "" };

/** Adds somebody to the list. */
export function NewPractitioner() {
  const fetcher = useFetcher<FormAnswer>();
  const { values, set, reset } = useFields(EMPTY);
  const answer = useAnswer(fetcher, "add ", reset);
  return (
    <Card>
      <fetcher.Form method="post" noValidate>
        <input type="hidden" name="intent" value="add" />
        <BlockStack gap="400">
          <Text as="h2" variant="headingMd">
            Add a practitioner
          </Text>
          <PractitionerFields values={values} set={set} errors={answer?.errors ?? {}} isNew />
          <InlineStack>
            <Button submit variant="primary" loading={fetcher.state !== "idle"}>
              Add practitioner
            </Button>
          </InlineStack>
        </BlockStack>
      </fetcher.Form>
    </Card>
  );
}
