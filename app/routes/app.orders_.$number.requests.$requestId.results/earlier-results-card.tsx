import { Form, useNavigation } from "@remix-run/react";
import { BlockStack, Button, Card, InlineStack, Link, List, Text } from "@shopify/polaris";
import { Moment } from "../../components/moment/moment.tsx";
import { countOf } from "../../modules/kernel/words.ts";
import type { StaffView } from "./present-staff-view.ts";

/** The patient's earlier tests: asked for, each with a record of its own, and then listed. */
export function EarlierResultsCard({ earlier }: { earlier: NonNullable<StaffView["earlier"]> }) {
  const isSending = useNavigation().state !== "idle";
  return (
    <Card>
      <BlockStack gap="300">
        <Text as="h2" variant="headingMd">
          Earlier results of this patient
        </Text>
        {earlier.shown.length > 0 && (
          <>
            <Text as="p" tone="subdued">
              Their values stand beside the ones below, where the unit is the same.
            </Text>
            <List>
              {earlier.shown.map(({ requestId, text, date, url }) => (
                <List.Item key={requestId}>
                  <Link url={url}>{text}</Link>, <Moment at={date} />
                </List.Item>
              ))}
            </List>
          </>
        )}
        {earlier.hidden > 0 && (
          <Form method="post">
            <input type="hidden" name="intent" value="open-earlier" />
            <BlockStack gap="300">
              <Text as="p" tone="subdued">
                {`${countOf(earlier.hidden, "earlier test")} of your shop ${
                  earlier.hidden === 1 ? "has" : "have"
                } the same customer and a patient with the same name and date of birth. Showing them is recorded in each order’s timeline, with the reason you gave here.`}
              </Text>
              <InlineStack>
                <Button submit loading={isSending}>
                  Show earlier results
                </Button>
              </InlineStack>
            </BlockStack>
          </Form>
        )}
      </BlockStack>
    </Card>
  );
}
