import { useRevalidator } from "@remix-run/react";
import { useEffect } from "react";

/**
 * Loads the page's data again and again while something goes on, each time so many milliseconds after the last answer:
 * to ask while an answer is under way is to abandon it, and on a slow line none would ever come.
 */
export function useRereading(isOn: boolean, everyMs: number): void {
  const { revalidate, state } = useRevalidator();
  useEffect(() => {
    if (!isOn || state !== "idle") return;
    const timer = setTimeout(revalidate, everyMs);
    return () => clearTimeout(timer);
  }, [isOn, state, everyMs, revalidate]);
}
