import { ConfirmModal } from "../feedback/confirm-modal.tsx";
import { BULK_MODAL, type Bulk } from "./use-bulk.ts";

const NOTHING_ASKED = { title: "Start?", text: "", action: "Start" };

/** The dialogue before an action on many orders. It is there before anything is asked, so that it can be opened at once. */
export function BulkQuestion({ bulk }: { bulk: Bulk }) {
  const question = bulk.question ?? NOTHING_ASKED;
  return (
    <ConfirmModal id={BULK_MODAL} {...question} onConfirm={bulk.confirm}>
      {question.text}
    </ConfirmModal>
  );
}
