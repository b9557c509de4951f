import { useFetcher } from "@remix-run/react";
import { Button } from "@shopify/polaris";
import type { FormAnswer } from "../../components/form/form-answer.ts";
import { useAnswer } from "../../components/form/use-answer.ts";
import type { RunView } from "./present-mappings.ts";
import { UNDO_FORM } from "./undo-form-name.ts";

/** Puts back every mapping that a run changed, at one press. */
export function UndoRun({ run }: { run: RunView }) {
  const fetcher = useFetcher<FormAnswer>();
  useAnswer(fetcher, UNDO_FORM);
  if (!run.mayUndo) return null;
  return (
    <Button
      loading={fetcher.state !== "idle"}
      accessibilityLabel={`Undo: ${run.title}`}
      onClick={() =>
        fetcher.submit(
          { intent: "undo-run", runId: run.id },
          { method: "post", action: "/app/mappings" },
        )
      }
    >
      Undo
    </Button>
  );
}
