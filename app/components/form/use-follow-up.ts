import { useRevalidator } from "@remix-run/react";
import { useEffect } from "react";

/** When what was asked for is usually done, in milliseconds after the answer. */
const LOOKS_MS = [1500, 4000, 10_000];

/** Loads the page's data again a few times after an action, whose work is done in the background. */
export function useFollowUp(answer: unknown): void {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    if (!answer) return;
    const timers = LOOKS_MS.map((ms) => setTimeout(revalidate, ms));
    return () => timers.forEach(clearTimeout);
  }, [answer, revalidate]);
}
