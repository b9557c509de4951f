import { useFetcher } from "@remix-run/react";
import { Button } from "@shopify/polaris";
import { appBridge } from "../../components/document/app-bridge.ts";
import { ConfirmModal } from "../../components/feedback/confirm-modal.tsx";
import type { FormAnswer } from "../../components/form/form-answer.ts";
import { useAnswer } from "../../components/form/use-answer.ts";
import { alertsForm } from "../app.settings/form-names.ts";

/** Takes an address off the list, after a question. */
export function RemoveRecipient({ id, address }: { id: string; address: string }) {
  const fetcher = useFetcher<FormAnswer>();
  useAnswer(fetcher, alertsForm(id));
  const modalId = `remove-alerts-${id}`;
  return (
    <div>
      <Button
        variant="tertiary"
        tone="critical"
        accessibilityLabel={`Remove ${address}`}
        loading={fetcher.state !== "idle"}
        onClick={() => void appBridge()?.modal.show(modalId)}
      >
        Remove
      </Button>
      <ConfirmModal
        id={modalId}
        title={`Remove ${address}?`}
        action="Remove"
        isDestructive
        onConfirm={() => fetcher.submit({ intent: "remove-alerts", id }, { method: "post" })}
      >
        No more alerts go to this address.
      </ConfirmModal>
    </div>
  );
}
