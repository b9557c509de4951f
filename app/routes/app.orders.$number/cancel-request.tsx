import { ConfirmModal } from "../../components/feedback/confirm-modal.tsx";

interface Props {
  id: string;
  /** The consequence of cancelling now. */
  consequence: { title: string; text: string };
  onCancel(): void;
}

/** Asks before a test is given up, and says what that means for the form and the money. */
export function CancelRequest({ id, consequence, onCancel }: Props) {
  return (
    <ConfirmModal
      id={id}
      title={consequence.title}
      action="Cancel test"
      dismiss="Keep the test"
      isDestructive
      onConfirm={onCancel}
    >
      {consequence.text}
    </ConfirmModal>
  );
}
