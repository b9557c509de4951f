import { createHash } from "node:crypto";
import type { Scope } from "../../../platform/database/scope.ts";

/** How a link ends at the hands of people. */
type End = "used" | "superseded" | "revoked";

/** An id is random: nobody who reads the journal learns which link it was, and no key has to be kept for as long as it. */
const nameOf = (id: string, end: End): string =>
  createHash("sha256").update(`${end} ${id}`).digest("base64url");

/**
 * Notes outside the database that links ended: a backup in which they are good may take this database's place. Should the
 * transaction fail, they are shut too much there, and their page mails a new one.
 */
export function noteEnded(
  { restoreJournal }: Pick<Scope, "restoreJournal">,
  { ids, end, at }: { ids: readonly string[]; end: End; at: Date },
): void {
  restoreJournal.note(
    ids.map((id) => nameOf(id, end)),
    at,
  );
}

/** Returns when a link ended so in a database that is lost; null where it did not, or none is lost. */
export const endedBefore = (
  { restoreJournal }: Pick<Scope, "restoreJournal">,
  id: string,
  end: End,
): Promise<Date | null> => restoreJournal.notedAt(nameOf(id, end));
