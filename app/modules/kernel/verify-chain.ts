import { type ChainedRow, firstHash, HASH_BYTES, rowHash, sealHash } from "./access-chain.ts";

/** A seal as stored. */
export interface StoredSeal {
  number: number;
  rowIds: string[];
  rowHashes: Buffer;
  lastId: string;
  isComplete: boolean;
  sealedAt: string;
  previousHash: Buffer;
  hash: Buffer;
}

/** What does not fit, with the row or the seal where it shows. */
export interface Finding {
  kind:
    | "edited"
    | "deleted"
    | "inserted"
    | "back_dated"
    | "seal_missing"
    | "seal_altered"
    | "truncated"
    /** Nothing is left of the log, and no erasure of its shop says why. */
    | "gone";
  rowId: string | null;
  seal: number | null;
  /** What was found there, so that accepting it accepts nothing else. */
  evidence: string;
}

/** A row may say a moment that lies so long before its chaining would have come: transactions take 20 s at most. */
const SLACK_MS = 60_000;

export interface ChainState {
  number: number;
  hash: Buffer;
  lastId: bigint;
  /** When the log was last chained to its end. */
  completeAt: number | null;
  covered: Set<string>;
}

/** The state before the first row of a shop's log. */
export const startOfChain = (shop: string): ChainState => ({
  number: 0,
  hash: firstHash(shop),
  lastId: 0n,
  completeAt: null,
  covered: new Set(),
});

/**
 * Compares one seal with the rows that it covers, and goes on to the next state of the chain. `rows`: those of its
 * rows that are still there. Every row is judged by the hash before it as stored, so that one changed row does not make
 * all later ones look changed.
 */
export function verifySeal(
  shop: string,
  state: ChainState,
  seal: StoredSeal,
  rows: ReadonlyMap<string, ChainedRow>,
): Finding[] {
  const findings: Finding[] = [];
  const at = { seal: seal.number };
  if (seal.number !== state.number + 1)
    findings.push({ kind: "seal_missing", rowId: null, ...at, evidence: String(state.number) });
  else if (!seal.previousHash.equals(state.hash))
    findings.push({ kind: "seal_altered", rowId: null, ...at, evidence: hex(seal.previousHash) });
  let before = seal.previousHash;
  for (const [index, id] of seal.rowIds.entries()) {
    const row = rows.get(id);
    const hash = seal.rowHashes.subarray(index * HASH_BYTES, (index + 1) * HASH_BYTES);
    const evidence = row ? hex(rowHash(before, shop, row)) : "";
    if (!row) findings.push({ kind: "deleted", rowId: id, ...at, evidence: hex(hash) });
    else if (evidence !== hex(hash)) findings.push({ kind: "edited", rowId: id, ...at, evidence });
    else if (isBackDated(row, state.completeAt))
      findings.push({ kind: "back_dated", rowId: id, ...at, evidence });
    state.covered.add(id);
    before = hash;
  }
  const own = sealHash({ ...seal, end: before });
  if (!own.equals(seal.hash))
    findings.push({ kind: "seal_altered", rowId: null, ...at, evidence: hex(seal.hash) });
  state.number = seal.number;
  state.hash = seal.hash;
  const lastId = BigInt(seal.lastId);
  if (lastId > state.lastId) state.lastId = lastId;
  if (seal.isComplete) state.completeAt = Date.parse(`${seal.sealedAt}Z`);
  return findings;
}

/** Judges a row that no seal covers: null when it waits to be chained. `settledId`: below it nothing can come any more. */
export function verifyLoose(
  row: ChainedRow,
  { completeAt }: Pick<ChainState, "completeAt">,
  settledId: bigint,
): Finding | null {
  const place = { rowId: row.id, seal: null, evidence: JSON.stringify(row) };
  if (BigInt(row.id) <= settledId) return { kind: "inserted", ...place };
  if (isBackDated(row, completeAt)) return { kind: "back_dated", ...place };
  return null;
}

function isBackDated(row: ChainedRow, completeAt: number | null): boolean {
  return completeAt !== null && Date.parse(`${row.at}Z`) < completeAt - SLACK_MS;
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");
