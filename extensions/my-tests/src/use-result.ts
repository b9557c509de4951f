import { useCallback, useEffect, useState } from "preact/hooks";
import { useApp } from "../../shared/app-context.ts";
import type { Failure } from "../../shared/failure.ts";
import { type Result, readResult } from "./result.ts";

export interface ResultState {
  result: Result | null;
  failure: Failure | null;
  reload: () => Promise<void>;
}

/** One released result; nothing of it is kept once the view is left. */
export function useResult(resultId: string): ResultState {
  const { api } = useApp();
  const [result, setResult] = useState<Result | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);

  const reload = useCallback(async () => {
    setFailure(null);
    const outcome = await api.readResult(resultId, readResult);
    if (outcome.ok) setResult(outcome.value);
    else setFailure(outcome.failure);
  }, [api, resultId]);

  useEffect(() => {
    void reload();
  }, [reload]);

  return { result, failure, reload };
}
