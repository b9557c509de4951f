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
  /** Called as the form goes out. A slow computer may never draw that a save is under way. */
  onSubmit(): void;
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each answer, not for each letter.
  useEffect(() => {
    if (isRefused) fields.follow("refused");
  }, [answer, isRefused]);
  useUnsaved({
    isDirty: fields.isDirty,
    isSaving,
    save: () => form.current?.requestSubmit(),
    discard: fields.reset,
  });
  const onSubmit = () => fields.follow("sent");
  return { fetcher, form, fields, onSubmit, answer, errors: answer?.errors ?? {} };
}
