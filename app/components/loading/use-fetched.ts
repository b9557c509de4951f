import { useEffect, useState } from "react";

/**
 * Fetches code that no first load needs, once it is wanted: null until it is there. `load` stays the same for good.
 *
 * Not React's `lazy`: the server would draw such a part, and what it drew may not change before the part's code has come. A
 * page that is read again sooner is drawn anew, and the browser is told of an error.
 */
export function useFetched<T extends object>(isWanted: boolean, load: () => Promise<T>): T | null {
  const [fetched, setFetched] = useState<T | null>(null);
  useEffect(() => {
    if (!isWanted) return;
    // The frame around every page tells of code that can't be fetched (`vite:preloadError`).
    load().then(setFetched, () => setFetched(null));
  }, [isWanted, load]);
  return fetched;
}
