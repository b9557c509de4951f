import { useRevalidator } from "@remix-run/react";
import { useEffect, useState } from "react";
import type { FormAnswer } from "./form-answer.ts";
import type { useFields } from "./use-fields.ts";

type Kept = Pick<ReturnType<typeof useFields>, "kept" | "settle">;

/**
 * Follows an answer that nothing was saved because somebody else was faster: the form shows what they saved at once, and what
 * was typed stands beside it. `meanwhile`: what they changed, or nothing. `isTold`: whether the kept changes say so, or were
 * dealt with, so that no other banner does.
 */
export function useMeanwhile(
  fields: Kept,
  { answer, isIdle }: { answer: FormAnswer | undefined; isIdle: boolean },
): { meanwhile: string | undefined; isTold: boolean; kept: Kept } {
  const meanwhile = isIdle ? answer?.errors?.changedMeanwhile : undefined;
  const { revalidate } = useRevalidator();
  const [settled, setSettled] = useState<FormAnswer>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each answer.
  useEffect(() => {
    if (meanwhile) revalidate();
  }, [answer, meanwhile]);
  const isTold = meanwhile !== undefined && (fields.kept !== null || settled === answer);
  const settle: Kept["settle"] = (how) => {
    fields.settle(how);
    setSettled(answer);
  };
  return { meanwhile, isTold, kept: { kept: fields.kept, settle } };
}
