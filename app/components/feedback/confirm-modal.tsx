import type { ReactNode } from "react";
import type { Question } from "../../modules/kernel/words.ts";
import { appBridge } from "../document/app-bridge.ts";

interface Props extends Omit<Question, "text"> {
  id: string;
  onConfirm(): void;
  /** The consequence, in a sentence or two. */
  children: ReactNode;
}

/**
 * The admin's own dialogue before something that costs money or cannot be undone;
 * `appBridge()?.modal.show(id)` opens it.
 */
export function ConfirmModal(props: Props) {
  const { id, title, action, dismiss = "Cancel", isDestructive, onConfirm, children } = props;
  const hide = () => void appBridge()?.modal.hide(id);
  return (
    <ui-modal id={id}>
      <p className="pathway-modal">{children}</p>
      <ui-title-bar title={title}>
        <button
          type="button"
          variant="primary"
          tone={isDestructive ? "critical" : "default"}
          onClick={() => {
            hide();
            onConfirm();
          }}
        >
          {action}
        </button>
        <button type="button" onClick={hide}>
          {dismiss}
        </button>
      </ui-title-bar>
    </ui-modal>
  );
}
