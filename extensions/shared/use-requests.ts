import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { useApp } from "./app-context.ts";
import type { Failure } from "./failure.ts";
import type { TestRequest } from "./requests.ts";

export interface RequestsState {
  /** null until the first answer. */
  requests: TestRequest[] | null;
  failure: Failure | null;
  loading: boolean;
  /** Asks the app again, at once showing what it has already said of one request. */
  reload: (saved?: TestRequest) => void;
}

/** The customer's requests. While they are fetched again, the former ones stay on the page. */
export function useRequests(): RequestsState {
  const { api } = useApp();
  const [requests, setRequests] = useState<TestRequest[] | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [loading, setLoading] = useState(true);

  // On a bad line an answer may overtake that of an earlier question, which knows less.
  const asked = useRef(0);
  const fetchAll = useCallback(async () => {
    const mine = ++asked.current;
    setLoading(true);
    const outcome = await api.listRequests();
    if (mine !== asked.current) return;
    if (outcome.ok) setRequests(outcome.value);
    setFailure(outcome.ok ? null : outcome.failure);
    setLoading(false);
  }, [api]);

  const reload = useCallback(
    (saved?: TestRequest) => {
      if (saved)
        setRequests((known) => known?.map((one) => (one.id === saved.id ? saved : one)) ?? null);
      void fetchAll();
    },
    [fetchAll],
  );

  useEffect(() => {
    void fetchAll();
  }, [fetchAll]);

  return { requests, failure, loading, reload };
}
