import { KeyDamaged } from "./errors.ts";

/** Reads something that is sealed; null where its key is damaged, for whoever tells its reader that it is there and can't be read. */
export async function unlessDamaged<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof KeyDamaged) return null;
    throw error;
  }
}
