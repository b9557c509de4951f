import { useEffect } from "react";
import { useReread } from "../loading/use-rereading.ts";

/** When what was asked for is usually done, in milliseconds after the answer. */
const LOOKS_MS = [1500, 4000, 10_000];

/** Loads the page's data again a few times after an action, whose work is done in the background. */
export function useFollowUp(answer: unknown): void {
  const reread = useReread();
  useEffect(() => {
    if (!answer) return;
    const timers = LOOKS_MS.map((ms) => setTimeout(reread, ms));
    return () => timers.forEach(clearTimeout);
  }, [answer, reread]);
}
