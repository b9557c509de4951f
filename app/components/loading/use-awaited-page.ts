import { useLocation, useNavigation } from "@remix-run/react";
import { useEffect, useState } from "react";

/** A page that comes sooner needs no outline: what is there may stand that long. */
const TIMEOUT_MS = 150;
/** An outline that was drawn stays so long at least: one that only blinks is worse than none. */
const MIN_MS = 250;

/**
 * The path of the page that somebody has been waiting for, once that takes noticeably long; null while nobody is.
 * A further view of the same page (search, filter, next page of a list) is not another page.
 */
export function useAwaitedPage(): string | null {
  const navigation = useNavigation();
  const { pathname } = useLocation();
  const isAnother = navigation.state === "loading" && navigation.location.pathname !== pathname;
  const wanted = isAnother ? navigation.location.pathname : null;
  const [shown, setShown] = useState<{ path: string; since: number } | null>(null);
  useEffect(() => {
    if (wanted === (shown?.path ?? null)) return;
    const waitMs =
      wanted === null ? MIN_MS - (performance.now() - (shown?.since ?? 0)) : TIMEOUT_MS;
    const next = wanted === null ? null : { path: wanted, since: performance.now() + waitMs };
    const timer = setTimeout(() => setShown(next), Math.max(0, waitMs));
    return () => clearTimeout(timer);
  }, [wanted, shown]);
  return shown?.path ?? null;
}
