import { Form, useNavigation } from "@remix-run/react";
import {
  Banner,
  BlockStack,
  Button,
  Card,
  Checkbox,
  InlineStack,
  Text,
  TextField,
} from "@shopify/polaris";
import { useState } from "react";
import { countOf } from "../../modules/kernel/words.ts";

interface Props {
  held: number;
  /** Its patient has hidden them: a release shows them to nobody. */
  isHidden: boolean;
  /** Which results the page shows: others than these are not released. */
  seen: string;
  errors: Record<string, string>;
}

/** Where the reviewer shows held results to their patient. */
export function ReleaseCard({ held, isHidden, seen, errors }: Props) {
  const isSending = useNavigation().state !== "idle";
  const [name, setName] = useState("");
  const [comment, setComment] = useState("");
  const [contacted, setContacted] = useState(false);
  return (
    <Card>
      <Form method="post" noValidate>
        <input type="hidden" name="intent" value="release-results" />
        <input type="hidden" name="seen" value={seen} />
        <BlockStack gap="400">
          {errors.changedMeanwhile && (
            <Banner tone="critical" title="Nothing was released">
              <p>{errors.changedMeanwhile}</p>
            </Banner>
          )}
          <Text as="h2" variant="headingMd">
            {`Release ${countOf(held, "held result")}${isHidden ? "" : " to the patient"}`}
          </Text>
          <Text as="p" tone="subdued">
            {isHidden
              ? "What is released stays hidden until the patient shows the results again. No email is sent about it."
              : "The patient sees what is released at once and gets an email that says there is something new."}{" "}
            This can’t be undone. Your Shopify user and the time go into the order’s timeline.
          </Text>
          <TextField
            label="Your name"
            name="name"
            autoComplete="name"
            helpText="Kept encrypted beside the result, with the comment."
            value={name}
            onChange={setName}
            error={errors.name}
          />
          <TextField
            label="Comment (optional)"
            name="comment"
            helpText="Staff see it with the result, never the patient."
            multiline={2}
            autoComplete="off"
            maxLength={1000}
            value={comment}
            onChange={setComment}
            error={errors.comment}
          />
          <Checkbox
            label="I told the patient in person"
            helpText="Needed for tests for HIV and other infections, genetics and pregnancy."
            name="contacted"
            value="true"
            checked={contacted}
            onChange={setContacted}
            error={errors.contacted}
          />
          <InlineStack>
            <Button submit variant="primary" loading={isSending}>
              {isHidden ? "Release" : "Release to the patient"}
            </Button>
          </InlineStack>
        </BlockStack>
      </Form>
    </Card>
  );
}
