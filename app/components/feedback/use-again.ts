import { useEffect } from "react";
import type { ThrownDescription } from "./describe-error.ts";

/** Loads the page again once the time that its error gives is over; one without a time stays. */
export function useAgain({ againInS }: Pick<ThrownDescription, "againInS">): void {
  useEffect(() => {
    if (againInS === undefined) return;
    const timer = setTimeout(() => window.location.reload(), againInS * 1_000);
    return () => clearTimeout(timer);
  }, [againInS]);
}
