import { useLocation } from "@remix-run/react";
import { Banner, Box } from "@shopify/polaris";
import { useEffect, useRef, useSyncExternalStore } from "react";

let failure: string | null = null;
const listeners = new Set<() => void>();

function set(sentence: string | null): void {
  failure = sentence;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
};

/** Tells the person that something wasn't done. A toast would be gone before it is read. */
export const tellFailure = (sentence: string): void => set(sentence);

/** Takes the sentence back: it was tried again. */
export const clearFailure = (): void => set(null);

/** Shows above the page what wasn't done, until it is dismissed, something is done, or another page is opened. */
export function FailureBanner() {
  const sentence = useSyncExternalStore(
    subscribe,
    () => failure,
    () => null,
  );
  const { pathname } = useLocation();
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (pathname) clearFailure();
  }, [pathname]);
  useEffect(() => {
    if (sentence) place.current?.focus();
  }, [sentence]);
  if (sentence === null) return null;
  return (
    <div ref={place} tabIndex={-1}>
      <Box padding="400">
        <Banner tone="critical" title={sentence} onDismiss={clearFailure} />
      </Box>
    </div>
  );
}
