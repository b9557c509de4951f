import type { MailJournal } from "../../app/modules/kernel/ports.ts";

/** The journal of mails of an installation that never lost a database. */
export const EMPTY_JOURNAL: MailJournal = {
  add: () => {},
  lastOf: () => null,
  knownSince: () => null,
};
