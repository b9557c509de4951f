import { type FetcherWithComponents, useActionData } from "@remix-run/react";
import { appBridge } from "../document/app-bridge.ts";
import { useDrawnEffect } from "../document/use-drawn-effect.ts";
import { clearFailure, tellFailure } from "../feedback/failure-banner.tsx";
import type { FormAnswer } from "./form-answer.ts";

/**
 * The answer to one form of a page, whether it was sent by script or, without, as a document. Shows its toast,
 * or in a banner what wasn't done, once, and calls `onDone` once when nothing was wrong.
 */
export function useAnswer(
  fetcher: FetcherWithComponents<FormAnswer>,
  form: string,
  onDone?: () => void,
): FormAnswer | undefined {
  const posted = useActionData<FormAnswer>();
  const answer = fetcher.data ?? (posted?.form === form ? posted : undefined);
  const isIdle = fetcher.state === "idle";
  // Once for each answer, not for each new handler.
  useDrawnEffect(() => {
    if (!answer || !isIdle) return;
    if (answer.toast && answer.toastIsError) tellFailure(answer.toast);
    else if (answer.toast) {
      clearFailure();
      appBridge()?.toast.show(answer.toast);
    }
    if (!answer.errors) onDone?.();
  }, [answer, isIdle]);
  return answer;
}
