import { useLoaderData, useLocation, useRevalidator } from "@remix-run/react";
import { useCallback, useEffect, useRef } from "react";
import { beginLook } from "./looks.ts";

/**
 * Returns what loads the page's data again, for a page whose `clientLoader` is `keepShown`: a look without an answer leaves
 * the page as it is. To ask while an answer is under way would abandon it, so nothing is asked then.
 */
export function useReread(): { reread: () => void; state: "idle" | "loading" } {
  const revalidator = useRevalidator();
  const shown = useLoaderData();
  // The window's own address has lost what App Bridge takes out of it.
  const { pathname, search } = useLocation();
  const latest = useRef({ revalidator, shown, address: pathname + search });
  latest.current = { revalidator, shown, address: pathname + search };
  const reread = useCallback(() => {
    if (latest.current.revalidator.state !== "idle") return;
    beginLook(latest.current.address, latest.current.shown);
    latest.current.revalidator.revalidate();
  }, []);
  return { reread, state: revalidator.state };
}

/** Loads the page's data again and again while something goes on, each time so many milliseconds after the last answer. */
export function useRereading(isOn: boolean, everyMs: number): void {
  const { reread, state } = useReread();
  useEffect(() => {
    if (!isOn || state !== "idle") return;
    const timer = setTimeout(reread, everyMs);
    return () => clearTimeout(timer);
  }, [isOn, state, everyMs, reread]);
}
