import { Button } from "@shopify/polaris";
import { appBridge } from "../../components/document/app-bridge.ts";
import { ConfirmModal } from "../../components/feedback/confirm-modal.tsx";

interface Props {
  requestId: string;
  unitName: string;
  isSending: boolean;
  onRelease(): void;
}

/** Asks before a patient gets to see results that nobody here can see. */
export function ReleaseResults({ requestId, unitName, isSending, onRelease }: Props) {
  const modalId = `release-results-${requestId}`;
  return (
    <div>
      <Button
        loading={isSending}
        accessibilityLabel={`Release results of ${unitName}`}
        onClick={() => void appBridge()?.modal.show(modalId)}
      >
        Release results
      </Button>
      <ConfirmModal
        id={modalId}
        title="Release these results to the patient?"
        action="Release results"
        onConfirm={onRelease}
      >
        A practitioner should have looked at them in the referral service first. The patient sees
        them at once and gets a mail that says there is something new. This can’t be undone.
      </ConfirmModal>
    </div>
  );
}
