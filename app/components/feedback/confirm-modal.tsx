import type { ReactNode } from "react";
import { appBridge } from "../document/app-bridge.ts";

interface Props {
  id: string;
  title: string;
  action: string;
  isDestructive?: boolean;
  onConfirm(): void;
  /** What will happen, in a sentence or two. */
  children: ReactNode;
}

/** The admin's own dialogue before something that cannot be undone; `appBridge()?.modal.show(id)` opens it. */
export function ConfirmModal({ id, title, action, isDestructive, onConfirm, children }: Props) {
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
          Cancel
        </button>
      </ui-title-bar>
    </ui-modal>
  );
}
