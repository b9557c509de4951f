import { regularly } from "./regularly.ts";
import type { Loop } from "./vitals.ts";

/** So often what has to outlive the database is written beside it. */
export const KEEP_EVERY_MS = 10_000;

export interface KeptOutside {
  /** Which links and shares ended, and whose units became. */
  journal: { beat(): Promise<void>; notedAt(name: string): Promise<Date | null> };
  /** Given where this process does the work: notes that the database works, and which mails went out. */
  work?: (() => Promise<void>) | undefined;
}

/**
 * Writes into the folder of keys what has to outlive the database, at once and then every 10 s. A loop of its own, so that a folder which
 * takes nothing, or can't be read, is told as that. Its words are read too: in a database that took another one's place no link opens before,
 * and its reader would be the first to notice.
 */
export function keepOutside({ journal, work }: KeptOutside, loop: Loop): { stop(): Promise<void> } {
  return regularly(loop, { firstMs: 0, everyMs: KEEP_EVERY_MS }, async () => {
    await journal.beat();
    await journal.notedAt("");
    await work?.();
  });
}
