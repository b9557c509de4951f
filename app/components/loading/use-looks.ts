import { useFetcher } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { beginLook } from "./looks.ts";

/**
 * Reads an address at once and then again and again while something goes on there, each time so many milliseconds after the
 * last answer. The `clientLoader` of the address is `keepShown`: a look without an answer changes nothing. Returns what was
 * read last.
 */
export function useLooks<T>(
  address: string,
  isOn: (read: T | undefined) => boolean,
  everyMs: number,
): T | undefined {
  const fetcher = useFetcher();
  const read = (fetcher.data ?? undefined) as T | undefined;
  const looked = useRef<string>();
  const isWanted = isOn(read) && fetcher.state === "idle";
  // biome-ignore lint/correctness/useExhaustiveDependencies: looks again a while after each answer.
  useEffect(() => {
    if (!isWanted) return;
    const look = () => {
      looked.current = address;
      // A loader that gives nothing gives null.
      beginLook(address, read ?? null);
      fetcher.load(address);
    };
    if (looked.current !== address) return look();
    const timer = setTimeout(look, everyMs);
    return () => clearTimeout(timer);
  }, [isWanted, address, everyMs]);
  return read;
}
