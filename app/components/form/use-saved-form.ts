import { type FetcherWithComponents, useFetcher } from "@remix-run/react";
import { type RefObject, useEffect, useRef } from "react";
import { useUnsaved } from "../save-bar/use-unsaved.ts";
import type { FormAnswer } from "./form-answer.ts";
import { useAnswer } from "./use-answer.ts";
import { type Fields, useFields } from "./use-fields.ts";

export interface SavedForm<T extends Parameters<typeof useFields>[0]> {
  fetcher: FetcherWithComponents<FormAnswer>;
  form: RefObject<HTMLFormElement>;
  fields: Fields<T>;
  answer: FormAnswer | undefined;
  errors: Record<string, string>;
}

/** Keeps a form that the page's save bar saves: its fields, its answer, and its part of the bar. */
export function useSavedForm<T extends Parameters<typeof useFields>[0]>(
  name: string,
  saved: T,
): SavedForm<T> {
  const fetcher = useFetcher<FormAnswer>();
  const form = useRef<HTMLFormElement>(null);
  const fields = useFields(saved);
  const answer = useAnswer(fetcher, name, () => fields.follow("saved"));
  const isSaving = fetcher.state !== "idle";
  const isRefused = !isSaving && answer?.errors !== undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each save, not for each letter.
  useEffect(() => {
    if (isSaving) fields.follow("sent");
    else if (isRefused) fields.follow("refused");
  }, [isSaving, isRefused]);
  useUnsaved({
    isDirty: fields.isDirty,
    isSaving,
    save: () => form.current?.requestSubmit(),
    discard: fields.reset,
  });
  return { fetcher, form, fields, answer, errors: answer?.errors ?? {} };
}
