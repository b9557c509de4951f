import { useFetcher } from "@remix-run/react";
import { Banner } from "@shopify/polaris";
import { useState } from "react";
import type { FormAnswer } from "../../components/form/form-answer.ts";
import type { LastChange } from "../../modules/catalogue/mapping-change.ts";

/** Says which mapping was changed just now and takes it back at one press; then what became of that. */
export function UndoNotice({ change }: { change: LastChange | null }) {
  const fetcher = useFetcher<FormAnswer>();
  const [undone, setUndone] = useState<string | null>(null);
  const [dismissed, setDismissed] = useState<string | null>(null);
  const isBusy = fetcher.state !== "idle";
  const answer = isBusy ? undefined : fetcher.data;
  // An answer that never came may mean that nothing was taken back.
  const isUnknown = answer?.errors?.unanswered !== undefined;
  const isOffered = change !== null && (isBusy || isUnknown || change.changeId !== undone);
  if (isOffered && change.changeId !== dismissed)
    return (
      <div role="status">
        <Banner
          tone="success"
          title={titleOf(change)}
          action={{
            content: "Undo",
            accessibilityLabel: `Undo: ${titleOf(change)}`,
            loading: isBusy,
            onAction: () => {
              setUndone(change.changeId);
              fetcher.submit(
                { intent: "undo", changeId: change.changeId },
                { method: "post", action: "/app/mappings" },
              );
            },
          }}
          onDismiss={() => setDismissed(change.changeId)}
        />
      </div>
    );
  if (!answer?.toast || !undone || undone === dismissed) return null;
  return (
    <div role={answer.toastIsError ? "alert" : "status"}>
      <Banner
        tone={answer.toastIsError ? "warning" : "success"}
        title={answer.toast}
        onDismiss={() => setDismissed(undone)}
      />
    </div>
  );
}

function titleOf({ became, title }: LastChange): string {
  const words = became === "unmapped" ? "Mapping removed" : "Mapping saved";
  return title ? `${words}: ${title}` : words;
}
