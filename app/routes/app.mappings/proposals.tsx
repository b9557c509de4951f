import { useFetcher } from "@remix-run/react";
import { BlockStack, Button, InlineStack, Text } from "@shopify/polaris";
import type { FormAnswer } from "../../components/form/form-answer.ts";
import { useAnswer } from "../../components/form/use-answer.ts";
import { MAPPING_FORM } from "./mapping-form-name.ts";
import type { Proposal, VariantView } from "./present-mappings.ts";

/** What Pathway proposes for a variant. Nothing happens before a button is pressed. */
export function Proposals({ variant }: { variant: VariantView }) {
  if (variant.proposals.length === 0) return null;
  return (
    <BlockStack gap="100">
      {variant.proposals.map((proposal) => (
        <ProposalRow key={proposal.text} proposal={proposal} title={titleOf(variant)} />
      ))}
    </BlockStack>
  );
}

function ProposalRow({ proposal, title }: { proposal: Proposal; title: string }) {
  const fetcher = useFetcher<FormAnswer>();
  const answer = useAnswer(fetcher, MAPPING_FORM);
  const { text, button, form } = proposal;
  return (
    <BlockStack gap="050">
      <InlineStack gap="200" blockAlign="center">
        <Text as="span" tone="subdued">
          {text}
        </Text>
        <Button
          size="micro"
          loading={fetcher.state !== "idle"}
          accessibilityLabel={`${button} for ${title}: ${text}`}
          onClick={() => fetcher.submit(form, { method: "post", action: "/app/mappings" })}
        >
          {button}
        </Button>
      </InlineStack>
      {answer?.errors && (
        <Text as="span" tone="critical">
          {Object.values(answer.errors).join(" ")}
        </Text>
      )}
    </BlockStack>
  );
}

const titleOf = ({ productTitle, variantTitle }: VariantView) =>
  [productTitle, variantTitle].filter(Boolean).join(" – ");
