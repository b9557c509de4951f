import { useFetcher } from "@remix-run/react";
import { Button } from "@shopify/polaris";
import { appBridge } from "../../components/document/app-bridge.ts";
import { ConfirmModal } from "../../components/feedback/confirm-modal.tsx";
import type { FormAnswer } from "../../components/form/form-answer.ts";
import { useAnswer } from "../../components/form/use-answer.ts";
import { describeDisconnecting } from "../../modules/lifecycle/change-connection-words.ts";
import { ENVIRONMENT_NAMES } from "../../modules/lifecycle/connection-words.ts";
import type { Environment } from "../../modules/shops/connection.ts";
import { connectionForm } from "../app.settings/form-names.ts";

/** Asks before it disconnects: the address in the service's webhook settings stops working for good. */
export function Disconnect({
  environment,
  ordersGoTo,
}: {
  environment: Environment;
  ordersGoTo: Environment;
}) {
  const fetcher = useFetcher<FormAnswer>();
  useAnswer(fetcher, connectionForm(environment));
  const modalId = `disconnect-${environment}`;
  return (
    <div>
      <Button
        variant="tertiary"
        tone="critical"
        loading={fetcher.state !== "idle"}
        onClick={() => void appBridge()?.modal.show(modalId)}
      >
        Disconnect
      </Button>
      <ConfirmModal
        id={modalId}
        title={`Disconnect ${ENVIRONMENT_NAMES[environment].toLowerCase()}?`}
        action="Disconnect"
        isDestructive
        onConfirm={() => fetcher.submit({ intent: "disconnect", environment }, { method: "post" })}
      >
        {describeDisconnecting(environment, ordersGoTo)}
      </ConfirmModal>
    </div>
  );
}
