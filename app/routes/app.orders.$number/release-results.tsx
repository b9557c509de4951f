import { ConfirmModal } from "../../components/feedback/confirm-modal.tsx";

/** Asks before a patient gets to see results that nobody here can see. */
export function ReleaseResults({ id, onRelease }: { id: string; onRelease(): void }) {
  return (
    <ConfirmModal
      id={id}
      title="Release these results to the patient?"
      action="Release results"
      onConfirm={onRelease}
    >
      A practitioner should have looked at them in the referral service first. The patient sees them
      at once and gets a mail that says there is something new. This can’t be undone.
    </ConfirmModal>
  );
}
