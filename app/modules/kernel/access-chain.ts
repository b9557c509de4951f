import { createHash } from "node:crypto";

/** The log of what belongs to no shop: commands of operators, and refusals of calls that name no shop of ours. */
export const INSTALLATION = "installation";

/** One row of the access log as the chain covers it: every column, as PostgreSQL writes it. */
export interface ChainedRow {
  id: string;
  /** UTC, with microseconds. */
  at: string;
  who: string;
  actor: string | null;
  actorName: string | null;
  what: string;
  requestId: string | null;
  subjectId: string | null;
  detail: string | null;
}

/** Reads rows of `access_log` as `ChainedRow`. */
export const CHAINED_COLUMNS = `id::text, to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US') AS at, who, actor,
  actor_name AS "actorName", what, request_id::text AS "requestId", subject_id::text AS "subjectId", detail::text`;

/** Bytes of one hash. */
export const HASH_BYTES = 32;

/** The name of a log in the anchors: a shop that was forgotten is not named there. */
export const logName = (shop: string): string => createHash("sha256").update(shop).digest("hex");

/** The head of a chain before its first seal. */
export const firstHash = (shop: string): Buffer => sha256(["pathway access log", shop]);

/** The running hash after a row: it says that this row, and no other, stood after everything before it. */
export function rowHash(previous: Buffer, shop: string, row: ChainedRow): Buffer {
  const { id, at, who, actor, actorName, what, requestId, subjectId, detail } = row;
  return sha256([
    previous.toString("hex"),
    ...[shop, id, at, who, actor, actorName, what, requestId, subjectId, detail],
  ]);
}

/** The hash of a seal, with which the next one begins. `end` is the running hash after its last row. */
export function sealHash(seal: {
  number: number;
  rowIds: readonly string[];
  isComplete: boolean;
  /** As PostgreSQL writes it, UTC with microseconds. */
  sealedAt: string;
  end: Buffer;
}): Buffer {
  const { number, rowIds, isComplete, sealedAt, end } = seal;
  return sha256([number, rowIds.join(" "), isComplete, sealedAt, end.toString("hex")]);
}

const sha256 = (parts: readonly (string | number | boolean | null)[]): Buffer =>
  createHash("sha256").update(JSON.stringify(parts)).digest();
