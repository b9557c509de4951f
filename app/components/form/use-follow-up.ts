import { useRevalidator } from "@remix-run/react";
import { useEffect, useRef } from "react";

/** When what was asked for is usually done, in milliseconds after the answer. */
const LOOKS_MS = [1500, 4000, 10_000];

/** Loads the page's data again a few times after an action, whose work is done in the background. */
export function useFollowUp(answer: unknown): void {
  const revalidator = useRevalidator();
  const latest = useRef(revalidator);
  latest.current = revalidator;
  useEffect(() => {
    if (!answer) return;
    // To ask while an answer is under way would abandon it.
    const look = () => latest.current.state === "idle" && latest.current.revalidate();
    const timers = LOOKS_MS.map((ms) => setTimeout(look, ms));
    return () => timers.forEach(clearTimeout);
  }, [answer]);
}
