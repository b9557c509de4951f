import { Badge, BlockStack, InlineStack, Link, Text } from "@shopify/polaris";
import { useMay } from "../../components/document/use-may.ts";
import { Moment } from "../../components/moment/moment.tsx";
import { PhoneLink } from "../../components/phone-link/phone-link.tsx";
import { Fact } from "./fact.tsx";
import { PatientSlot } from "./patient-slot.tsx";
import type { RequestView } from "./present-order.ts";
import { TechnicalDetails } from "./technical-details.tsx";

/** Patient, referrals and documents of a request, and its ids folded away. That a document exists, never what it says. */
export function RequestEvidence({ request }: { request: RequestView }) {
  return (
    <BlockStack gap="200">
      <Facts request={request} />
      <TechnicalDetails request={request} />
    </BlockStack>
  );
}

function Facts({ request }: { request: RequestView }) {
  const may = useMay();
  return (
    <dl className="pathway-facts">
      {request.patient && (
        <Fact name="Patient" isWide>
          <PatientSlot patient={request.patient} />
        </Fact>
      )}
      {request.ring && (
        <Fact name="Contact" isWide>
          {request.ring.text} {request.ring.phone && <PhoneLink phone={request.ring.phone} />}
        </Fact>
      )}
      {request.consents.length > 0 && (
        <Fact name="Consent" isWide>
          <BlockStack gap="100">
            {request.consents.map((consent) => (
              <Agreed key={consent.at} consent={consent} />
            ))}
          </BlockStack>
        </Fact>
      )}
      {request.referrals.map((referral) => (
        <Fact key={referral.uuid} name={referral.medicare ? "Medicare referral" : "Referral"}>
          <BlockStack gap="050">
            <InlineStack align="start" gap="150" blockAlign="center">
              <span>{referral.reference}</span>
              {referral.isDeleted || referral.isReplaced ? (
                <Badge>{referral.isDeleted ? "Deleted" : "Replaced"}</Badge>
              ) : (
                <Badge tone={referral.status.tone}>{referral.status.name}</Badge>
              )}
            </InlineStack>
            {referral.routingMessage && (
              <Text as="span" variant="bodySm">
                {referral.routingMessage}
              </Text>
            )}
          </BlockStack>
        </Fact>
      ))}
      {request.documents.map((document) => (
        <Fact key={document.id} name={document.name}>
          <BlockStack gap="050">
            <span>
              Version {document.version}
              {document.partial && ", partial"}
            </span>
            <Text as="span" tone="subdued" variant="bodySm">
              Received <Moment at={document.at} />
            </Text>
          </BlockStack>
        </Fact>
      ))}
      {request.hiddenAt && (
        <Fact name="Results">
          <BlockStack gap="050">
            <span>Hidden: the consent was withdrawn</span>
            <Text as="span" tone="subdued" variant="bodySm">
              <Moment at={request.hiddenAt} /> · only the patient can show them again
            </Text>
          </BlockStack>
        </Fact>
      )}
      {request.resultsUrl && may("see_results") && (
        <Fact name="Results">
          <Link url={request.resultsUrl}>View results</Link>
        </Fact>
      )}
    </dl>
  );
}

/** The exact words, folded away: the notice's, and none of the patient's. */
function Agreed({ consent }: { consent: RequestView["consents"][number] }) {
  const { by, version, wording, at } = consent;
  return (
    <details className="pathway-details">
      <summary>
        Version {version}, agreed to by {by} <Moment at={at} />
      </summary>
      <BlockStack gap="100">
        {wording.map((paragraph) => (
          <Text as="p" key={paragraph} variant="bodySm">
            {paragraph}
          </Text>
        ))}
      </BlockStack>
    </details>
  );
}
