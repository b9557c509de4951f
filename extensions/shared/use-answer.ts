import { useRef, useState } from "preact/hooks";
import type { Failure, Outcome } from "./failure.ts";

/**
 * The app's answer to a call that somebody presses for, and why it failed. Two quick presses are one. Last
 * comes a way to forget the answer. It is a list, as its names would stay long in the bundles.
 */
export function useAnswer<T, About extends unknown[]>(
  ask: (...about: About) => Promise<Outcome<T>>,
) {
  const [answer, setAnswer] = useState<T | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [loading, setLoading] = useState(false);
  // Known at once, while `loading` is known at the next drawing only.
  const busy = useRef(false);
  const load = async (...about: About) => {
    if (busy.current) return;
    busy.current = true;
    setLoading(true);
    setFailure(null);
    const outcome = await ask(...about);
    busy.current = false;
    setLoading(false);
    if (outcome.ok) setAnswer(outcome.value);
    else setFailure(outcome.failure);
  };
  return [answer, load, failure, loading, () => setAnswer(null)] as const;
}
