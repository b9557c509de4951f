import { useLoaderData, useLocation, useRevalidator } from "@remix-run/react";
import { useCallback, useEffect, useRef } from "react";
import { beginLook } from "./looks.ts";

/**
 * Returns what loads the page's data again, for a page whose `clientLoader` is `keepShown`: a look without an answer leaves
 * the page as it is. To ask while an answer is under way would abandon it, so nothing is asked then, and false is returned.
 */
export function useReread(): () => boolean {
  const revalidator = useRevalidator();
  const shown = useLoaderData();
  // The window's own address has lost what App Bridge takes out of it.
  const { pathname, search } = useLocation();
  const latest = useRef({ revalidator, shown, address: pathname + search });
  latest.current = { revalidator, shown, address: pathname + search };
  return useCallback(() => {
    const { revalidator, shown, address } = latest.current;
    if (revalidator.state !== "idle" || !beginLook(address, shown)) return false;
    revalidator.revalidate();
    return true;
  }, []);
}

/** How long a page that could not be read again waits before it tries anew. */
const AGAIN_MS = 2_000;

/**
 * Loads the page's data again once something has ended. Tries until they are there: an answer under way or a line that breaks
 * would leave the page as it was before the end for ever.
 */
export function useLastReading(hasEnded: boolean): void {
  const reread = useReread();
  const shown = useLoaderData();
  const latest = useRef(shown);
  latest.current = shown;
  useEffect(() => {
    if (!hasEnded) return;
    let before: unknown;
    const read = () => {
      // A look without an answer gives the same data; others were read after the end.
      if (before !== undefined && latest.current !== before) return clearInterval(timer);
      if (reread()) before = latest.current;
    };
    const timer = setInterval(read, AGAIN_MS);
    read();
    return () => clearInterval(timer);
  }, [hasEnded, reread]);
}

/** Loads the page's data again and again while something goes on, every so many milliseconds. */
export function useRereading(isOn: boolean, everyMs: number): void {
  const reread = useReread();
  useEffect(() => {
    if (!isOn) return;
    const timer = setInterval(reread, everyMs);
    return () => clearInterval(timer);
  }, [isOn, everyMs, reread]);
}

/** Loads the page's data again when somebody comes back to its window: it may have stood there for hours. */
export function useRereadingOnReturn(): void {
  const reread = useReread();
  useEffect(() => {
    const look = () => {
      if (document.visibilityState === "visible") reread();
    };
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, [reread]);
}
