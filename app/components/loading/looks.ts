import { type ClientLoaderFunctionArgs, isRouteErrorResponse } from "@remix-run/react";
import { useSyncExternalStore } from "react";

/** So many looks in a row without an answer are told: one or two are a moment's weakness of the line. */
const TOLD_AFTER = 3;

/** The data that is shown of each address that is being read again. */
const looks = new Map<string, unknown>();
/** When the look began of each address whose look has had no answer so far, in milliseconds. */
const underWay = new Map<string, number>();
/** An answer that took so long will not come: a line that went dead says nothing. */
const AWAITED_MS = 30_000;
let failures = 0;
const listeners = new Set<() => void>();

const addressOf = (path: string) => new URL(path, window.location.href).href.split("#")[0] ?? path;

function count(failed: number): void {
  failures = failed;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
};

/**
 * Notes that an address is read again by the page itself, and what is shown of it meanwhile. Returns false, and notes nothing,
 * while the last look may yet have its answer: a new one would abandon it.
 */
export function beginLook(path: string, shown: unknown): boolean {
  const address = addressOf(path);
  const now = performance.now();
  if (now - (underWay.get(address) ?? -AWAITED_MS) < AWAITED_MS) return false;
  underWay.set(address, now);
  looks.set(address, shown);
  return true;
}

/** Forgets failed looks: another page is shown, or nothing is looked at any more. */
export const forgetLooks = (): void => {
  if (failures > 0) count(0);
};

/** Says whether the page at this address reads its data again by itself just now. */
export const isLookingAgain = (url: URL): boolean => looks.has(addressOf(url.href));

/** Says whether the last looks stayed without an answer. */
export const useIsUnread = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => failures >= TOLD_AFTER,
    () => false,
  );

/** Says whether the server itself refused: signed out, gone, not allowed. That is passed on. */
export const isAnswer = (error: unknown): boolean =>
  error instanceof Response || (isRouteErrorResponse(error) && error.status < 500);

/**
 * Reads a page's data. Where the page looks again by itself and no answer comes, what is shown stays: Remix would put its
 * error page in the place of a page that is only a second old.
 */
export async function keepShown({ request, serverLoader }: ClientLoaderFunctionArgs) {
  const address = addressOf(request.url);
  const isLook = looks.has(address);
  const shown = looks.get(address);
  looks.delete(address);
  try {
    const read = await serverLoader();
    forgetLooks();
    return read;
  } catch (error) {
    if (!isLook || isAnswer(error) || request.signal.aborted) throw error;
    count(failures + 1);
    return shown;
  } finally {
    if (isLook) underWay.delete(address);
  }
}
