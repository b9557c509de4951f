import { useFetcher } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { beginLook } from "./looks.ts";

/**
 * Reads an address at once and then again and again while something goes on there, every so many milliseconds except while an
 * answer is under way. The `clientLoader` of the address is `keepShown`: a look without an answer changes nothing. Returns what
 * was read last.
 */
export function useLooks<T>(
  address: string,
  isOn: (read: T | undefined) => boolean,
  everyMs: number,
): T | undefined {
  const fetcher = useFetcher();
  const read = (fetcher.data ?? undefined) as T | undefined;
  const isWanted = isOn(read);
  const latest = useRef({ fetcher, read });
  latest.current = { fetcher, read };
  // By the clock, and not by the fetcher's state: a slow computer draws "loading" and "idle" as one, so that nothing changes.
  useEffect(() => {
    if (!isWanted) return;
    const look = () => {
      const { fetcher, read } = latest.current;
      // A loader that gives nothing gives null.
      if (beginLook(address, read ?? null)) fetcher.load(address);
    };
    look();
    const timer = setInterval(look, everyMs);
    return () => clearInterval(timer);
  }, [isWanted, address, everyMs]);
  return read;
}
