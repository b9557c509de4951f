import type { AnswerIds } from "../../platform/errors.ts";
import type { Environment } from "../shops/connection.ts";

export const UNREADABLE_KINDS = ["referral", "result", "test", "bundle"] as const;

/** An entry of the service that could not be read: which it is, and the field that did not fit. Never its content. */
export interface UnreadableEntry {
  kind: (typeof UNREADABLE_KINDS)[number];
  /** Empty when the entry does not even say that. */
  uuid: string;
  field: string;
}

/** The same in a list that is compared, with the ids by which its order may be found. */
export type UnreadableListed = AnswerIds & Pick<UnreadableEntry, "field">;

/** A list as it was read: the wanted entries, and the unreadable ones. */
export interface ReadList<T> {
  entries: T[];
  unreadable: UnreadableEntry[];
}

export interface UnreadableRepository {
  record(environment: Environment, entries: UnreadableEntry[], at: Date): Promise<void>;
  /** Entries that were read since. */
  forget(environment: Environment, kind: UnreadableEntry["kind"], uuids: string[]): Promise<void>;
  /** Forgets those of the catalogue: its list was just read. */
  forgetCatalogue(environment: Environment): Promise<void>;
  /** Those seen last, first. Entries that were not seen for a week are no longer told. */
  list(environment: Environment, now: Date): Promise<SeenUnreadable[]>;
}

export type SeenUnreadable = UnreadableEntry & { firstSeenAt: Date; lastSeenAt: Date };
