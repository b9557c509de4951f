import { useEffect } from "preact/hooks";
import { useApp } from "../../shared/app-context.ts";
import type { Failure } from "../../shared/failure.ts";
import { useAnswer } from "../../shared/use-answer.ts";
import { type Result, readResult } from "./result.ts";

export interface ResultState {
  result: Result | null;
  failure: Failure | null;
  reload: () => void;
}

/** One released result; nothing of it is kept once the view, which is one result's, is left. */
export function useResult(resultId: string): ResultState {
  const { api } = useApp();
  const [result, load, failure] = useAnswer(() => api.readResult(resultId, readResult));
  const reload = () => void load();
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once, when the view opens.
  useEffect(reload, []);
  return { result, failure, reload };
}
