import { useFetcher } from "@remix-run/react";
import { BlockStack, Button, Card, InlineStack, Text } from "@shopify/polaris";
import { appBridge } from "../../components/document/app-bridge.ts";
import { ConfirmModal } from "../../components/feedback/confirm-modal.tsx";
import type { FormAnswer } from "../../components/form/form-answer.ts";
import { useAnswer } from "../../components/form/use-answer.ts";
import { MAPPING_FORM } from "../app.mappings/mapping-form-name.ts";
import type { VariantForm } from "./present-variant.ts";

const MODAL = "remove-mapping";

const CONSEQUENCES = {
  only: "The variant is unmapped afterwards, and orders that sell it are brought to your attention.",
  exception: "The variant then inherits the mapping of the whole product again.",
  whole:
    "This takes back the mapping of the whole product. Every variant that inherits it is unmapped afterwards, and orders that sell one are brought to your attention.",
};

/** Takes back what the variant means, after a question. */
export function RemoveMapping({ view }: { view: VariantForm }) {
  const fetcher = useFetcher<FormAnswer>();
  useAnswer(fetcher, MAPPING_FORM);
  const { environment, variantId, productId, isInherited } = view;
  const kind = isInherited ? "whole" : view.isException ? "exception" : "only";
  return (
    <Card>
      <BlockStack gap="200">
        <Text as="h2" variant="headingMd">
          Remove the mapping
        </Text>
        <Text as="p" tone="subdued">
          {CONSEQUENCES[kind]}
        </Text>
        <InlineStack>
          <Button
            tone="critical"
            loading={fetcher.state !== "idle"}
            onClick={() => void appBridge()?.modal.show(MODAL)}
          >
            Remove mapping
          </Button>
        </InlineStack>
      </BlockStack>
      <ConfirmModal
        id={MODAL}
        title="Remove this mapping?"
        action="Remove mapping"
        isDestructive
        onConfirm={() =>
          fetcher.submit(
            {
              intent: "remove",
              ...{ environment, variantId, productId },
              seen: view.version,
              scope: isInherited ? "product" : "variant",
            },
            { method: "post" },
          )
        }
      >
        {kind === "exception"
          ? "New orders for this variant order what the whole product means. Orders that are under way go on."
          : "New orders for this product won’t order anything until it is mapped again. Orders that are under way go on."}
      </ConfirmModal>
    </Card>
  );
}
