import type { Connection } from "./connection.ts";

interface ToastOptions {
  duration?: number;
  isError?: boolean;
  action?: string;
  onAction?: () => void;
  onDismiss?: () => void;
}

/** `shopify.toast`: shown by the frame; `show` answers the id that `hide` takes. */
export function createToast(connection: Connection) {
  const shown = new Map<string, ToastOptions>();
  let lastId = 0;
  connection.on("toastAction", ({ id }) => shown.get(id)?.onAction?.());
  connection.on("toastDismiss", ({ id }) => {
    shown.get(id)?.onDismiss?.();
    shown.delete(id);
  });
  return {
    show(message: string, options: ToastOptions = {}): string {
      lastId += 1;
      const id = `toast-${lastId}`;
      shown.set(id, options);
      connection.tell("toast", {
        id,
        message,
        isError: options.isError ?? false,
        durationMs: options.duration ?? 5000,
        action: options.action ?? null,
      });
      return id;
    },
    hide(id: string): void {
      connection.tell("hideToast", id);
    },
  };
}
