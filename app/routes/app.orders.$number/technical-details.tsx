import { BlockStack, InlineStack, Text } from "@shopify/polaris";
import { CopyButton } from "../../components/form/copy-button.tsx";
import { Moment } from "../../components/moment/moment.tsx";
import { Fact } from "./fact.tsx";
import type { RequestView } from "./present-order.ts";

/** A unit's ids and what the service wrote, for whoever asks the service about it. */
export function TechnicalDetails({ request }: { request: RequestView }) {
  return (
    <details className="pathway-details">
      <summary>Technical details</summary>
      <dl className="pathway-facts">
        <Fact name="Our reference number" isWide>
          <Copyable text={request.referenceNumber} what="our reference number" />
        </Fact>
        {request.referrals.map((referral) => (
          <Fact key={referral.uuid} name={`Referral ${referral.reference}`} isWide>
            <BlockStack gap="050">
              <Copyable text={referral.uuid} what={`the id of referral ${referral.reference}`} />
              <Text as="span" tone="subdued" variant="bodySm">
                {referral.rawStatus} · {referral.origin} · read <Moment at={referral.fetchedAt} />
              </Text>
            </BlockStack>
          </Fact>
        ))}
        {request.documents.map((document) => (
          <Fact key={document.id} name={`${document.name}, version ${document.version}`} isWide>
            {document.kilobytes} KB
          </Fact>
        ))}
      </dl>
    </details>
  );
}

function Copyable({ text, what }: { text: string; what: string }) {
  return (
    <InlineStack gap="200" blockAlign="center">
      <span>{text}</span>
      <CopyButton text={text} what={what} />
    </InlineStack>
  );
}
