import { Button } from "@shopify/polaris";
import { appBridge } from "../../components/document/app-bridge.ts";
import { ConfirmModal } from "../../components/feedback/confirm-modal.tsx";

interface Props {
  requestId: string;
  unitName: string;
  /** What cancelling would do now. */
  consequence: { title: string; text: string };
  isSending: boolean;
  onCancel(): void;
}

/** Asks before a test is given up, and says what that means for the form and the money. */
export function CancelRequest({ requestId, unitName, consequence, isSending, onCancel }: Props) {
  const modalId = `cancel-request-${requestId}`;
  return (
    <div>
      <Button
        variant="tertiary"
        tone="critical"
        loading={isSending}
        accessibilityLabel={`Cancel test: ${unitName}`}
        onClick={() => void appBridge()?.modal.show(modalId)}
      >
        Cancel test
      </Button>
      <ConfirmModal
        id={modalId}
        title={consequence.title}
        action="Cancel test"
        isDestructive
        onConfirm={onCancel}
      >
        {consequence.text}
      </ConfirmModal>
    </div>
  );
}
