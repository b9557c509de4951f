import { KeyDamaged, KeyDestroyed } from "../errors.ts";

/**
 * Opens one of many sealed values; null where its key was destroyed and the row says nothing of it yet: a database that was
 * restored is served before its erasures are done again. One that was erased keeps nobody from the others; neither does one whose
 * key is damaged, which is counted where it is read.
 */
export function unlessErased<T>(open: () => T): T | null {
  try {
    return open();
  } catch (error) {
    if (error instanceof KeyDestroyed || error instanceof KeyDamaged) return null;
    throw error;
  }
}
