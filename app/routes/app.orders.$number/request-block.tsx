import { Badge, BlockStack, InlineStack, Text } from "@shopify/polaris";
import type { RequestView } from "./present-order.ts";
import { RequestActions } from "./request-actions.tsx";
import { RequestEvidence } from "./request-evidence.tsx";

/** One unit's request: where it stands, what happens next, and what proves it. */
export function RequestBlock({ request }: { request: RequestView }) {
  return (
    <BlockStack gap="300">
      <InlineStack align="space-between" blockAlign="center" gap="200">
        <InlineStack align="start" gap="200" blockAlign="center">
          <Text as="h3" variant="headingSm">
            {request.unitName}
          </Text>
          {request.generation > 1 && <Badge>Replacement</Badge>}
          <Badge tone={request.tone}>{request.name}</Badge>
        </InlineStack>
        <RequestActions request={request} />
      </InlineStack>
      <div className={request.needsAttention ? "pathway-attention" : undefined}>
        <Text as="p" fontWeight={request.needsAttention ? "medium" : "regular"}>
          {request.sentence}
        </Text>
        <Text as="p" tone={request.needsAttention ? undefined : "subdued"}>
          {request.nextStep}
        </Text>
      </div>
      <RequestEvidence request={request} />
    </BlockStack>
  );
}
