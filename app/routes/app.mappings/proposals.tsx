import { useFetcher } from "@remix-run/react";
import { BlockStack, Button, InlineStack, Text } from "@shopify/polaris";
import type { FormAnswer } from "../../components/form/form-answer.ts";
import type { Proposal, VariantView } from "./present-mappings.ts";

/** Shared by all rows and the list: a row that is accepted leaves the list before its answer is read. */
export const PROPOSAL_FETCHER = "proposal";

/** Lists Pathway's proposals for a variant. Nothing happens before a button is pressed. */
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
  const fetcher = useFetcher<FormAnswer>({ key: PROPOSAL_FETCHER });
  const { text, button, form } = proposal;
  const isSending = fetcher.state !== "idle";
  const isMine = fetcher.formData?.get("variantId") === form.variantId;
  return (
    <InlineStack gap="200" blockAlign="center">
      <Text as="span" tone="subdued">
        {text}
      </Text>
      <Button
        size="micro"
        loading={isSending && isMine}
        disabled={isSending && !isMine}
        accessibilityLabel={`${button} for ${title}: ${text}`}
        onClick={() => fetcher.submit(form, { method: "post", action: "/app/mappings" })}
      >
        {button}
      </Button>
    </InlineStack>
  );
}

const titleOf = ({ productTitle, variantTitle }: VariantView) =>
  [productTitle, variantTitle].filter(Boolean).join(" – ");
