import { BlockStack, Button, Card, InlineStack, Text } from "@shopify/polaris";
import { useMay } from "../../components/document/use-may.ts";
import { Moment } from "../../components/moment/moment.tsx";
import type { OrderView } from "./present-order.ts";

/** Shows the order at a glance. */
export function OrderFacts({ view }: { view: OrderView }) {
  const may = useMay();
  return (
    <BlockStack gap="400">
      <Card>
        <BlockStack gap="300">
          <Text as="h2" variant="headingMd">
            Order
          </Text>
          <dl className="pathway-facts pathway-facts-stacked">
            <div>
              <dt>Paid</dt>
              <dd>
                <Moment at={view.paidAt} />
              </dd>
            </div>
            <div>
              <dt>Last read from Shopify</dt>
              <dd>
                <Moment at={view.readAt} />
              </dd>
            </div>
            {view.environments && (
              <div>
                <dt>Environment</dt>
                <dd>{view.environments}</dd>
              </div>
            )}
          </dl>
        </BlockStack>
      </Card>
      <Card>
        <BlockStack gap="200">
          <Text as="h2" variant="headingMd">
            Privacy
          </Text>
          <Text as="p" tone="subdued">
            Patients’ details aren’t shown on these pages. Reviewers and managers can open results
            by giving a reason, which is recorded in the timeline. Whoever holds a test, its buyer
            or the invited patient, sees the form and the results on their own page. It says whose
            each test is, and lets them share the results with a doctor.
          </Text>
          {may("export_data") && (
            <InlineStack>
              <Button url={`/app/orders/${view.number}/privacy`}>
                Download or delete a patient’s data
              </Button>
            </InlineStack>
          )}
        </BlockStack>
      </Card>
    </BlockStack>
  );
}
