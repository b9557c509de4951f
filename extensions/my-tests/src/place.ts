import { useCallback, useEffect, useState } from "preact/hooks";

/** The part of the customer account's `navigation` that a full page has. */
export interface PageNavigation {
  navigate(address: string): void;
  currentEntry?: { url: string | null } | null;
  addEventListener(type: "currententrychange", listener: () => void): void;
  removeEventListener(type: "currententrychange", listener: () => void): void;
}

/** The result that an address such as `extension:/results/{id}` asks for. */
export function resultInAddress(address: string | null | undefined): string | null {
  const encoded = /\/results\/([^/?#]+)/.exec(address ?? "")?.[1];
  if (!encoded) return null;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return null;
  }
}

/**
 * Returns the result that the page shows (null: the list), and the way to another. The result is part of the page's
 * address, so that the browser's back button leads from a result to the list and the order's page can link to a
 * result.
 */
export function usePlace(
  navigation: PageNavigation,
): [resultId: string | null, show: (resultId: string | null) => void] {
  const [resultId, setResultId] = useState(() => resultInAddress(navigation.currentEntry?.url));

  useEffect(() => {
    const follow = () => setResultId(resultInAddress(navigation.currentEntry?.url));
    navigation.addEventListener("currententrychange", follow);
    return () => navigation.removeEventListener("currententrychange", follow);
  }, [navigation]);

  const show = useCallback(
    (id: string | null) =>
      navigation.navigate(
        id === null ? "extension:/" : `extension:/results/${encodeURIComponent(id)}`,
      ),
    [navigation],
  );
  return [resultId, show];
}
