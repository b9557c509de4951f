import { createHash } from "node:crypto";
import type pg from "pg";
import {
  CHAINED_COLUMNS,
  type ChainedRow,
  INSTALLATION,
  logName,
} from "../modules/kernel/access-chain.ts";
import {
  type Finding,
  type StoredSeal,
  startOfChain,
  verifyLoose,
  verifySeal,
} from "../modules/kernel/verify-chain.ts";
import type { AcceptedLine, AnchorLine } from "../platform/audit-anchors.ts";
import { inSnapshot } from "./open-command.ts";

/** Below ids that were chained so long ago no row can be committed any more. */
const SETTLED_MS = 10 * 60_000;
const PAGE = 20_000;

export interface LogReport {
  log: string;
  rows: number;
  seals: number;
  /** Rows that wait to be chained, and since when the oldest does. */
  loose: number;
  oldestLoose: string | null;
  findings: (Finding & { id: string; accepted: string | null })[];
}

/** The log of every shop, and the installation's. */
export async function logsOf(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ shop: string }>(
    `SELECT shop FROM shops UNION SELECT DISTINCT shop FROM access_log_seals
     UNION SELECT DISTINCT shop FROM access_log UNION SELECT $1 ORDER BY 1`,
    [INSTALLATION],
  );
  return rows.map((row) => row.shop);
}

/** Reports every log that anchors tell of and that is not among `logs`, but for those of shops that were erased. */
export async function verifyGone(
  client: pg.Client,
  logs: readonly string[],
  outside: { anchors: readonly AnchorLine[]; accepted: readonly AcceptedLine[] },
): Promise<LogReport[]> {
  const reasons = new Map(outside.accepted.map((line) => [line.accepted, line.reason]));
  const { rows } = await client.query<{ log: string }>(
    "SELECT encode(shop_hash, 'hex') AS log FROM erasures",
  );
  const known = new Set([...logs.map(logName), ...rows.map(({ log }) => log)]);
  const lastAnchors = new Map(
    outside.anchors.filter(({ log }) => !known.has(log)).map((anchor) => [anchor.log, anchor]),
  );
  return [...lastAnchors].map(([log, { number, hash, sealedAt }]) => {
    const evidence = `${hash} ${sealedAt}`;
    const finding = { kind: "gone", rowId: null, seal: number, evidence } as const;
    const id = findingId(log, finding);
    const findings = [{ ...finding, id, accepted: reasons.get(id) ?? null }];
    return { log, rows: 0, seals: 0, loose: 0, oldestLoose: null, findings };
  });
}

/** Compares one log with its chain, and the chain with its anchors. Changes nothing. */
export async function verifyLog(
  client: pg.Client,
  log: string,
  outside: { anchors: readonly AnchorLine[]; accepted: readonly AcceptedLine[] },
): Promise<LogReport> {
  const reasons = new Map(outside.accepted.map((line) => [line.accepted, line.reason]));
  const anchors = outside.anchors.filter((one) => one.log === logName(log));
  const report = await inSnapshot(client, () => verify(client, log, anchors));
  const findings = report.findings.map((finding) => {
    const id = findingId(log, finding);
    return { ...finding, id, accepted: reasons.get(id) ?? null };
  });
  return { log, ...report, findings };
}

async function verify(client: pg.Client, log: string, anchors: readonly AnchorLine[]) {
  const state = startOfChain(log);
  const findings: Finding[] = [];
  const hashes = new Map<number, string>();
  const settledBefore = await settledMoment(client);
  let settledId = 0n;
  for (;;) {
    const seals = await sealsAfter(client, log, state.number);
    if (seals.length === 0) break;
    for (const seal of seals) {
      findings.push(...verifySeal(log, state, seal, await rowsOf(client, log, seal.rowIds)));
      hashes.set(seal.number, seal.hash.toString("hex"));
      if (seal.sealedAt < settledBefore) settledId = state.lastId;
    }
  }
  findings.push(...compareAnchors(hashes, anchors));
  let rows = 0;
  let loose = 0;
  let oldestLoose: string | null = null;
  for await (const page of idsOf(client, log)) {
    rows += page.length;
    const uncovered = page.filter((id) => !state.covered.has(id));
    for (const row of (await rowsOf(client, log, uncovered)).values()) {
      const finding = verifyLoose(row, state, settledId);
      if (finding) findings.push(finding);
      else {
        loose++;
        if (oldestLoose === null || row.at < oldestLoose) oldestLoose = row.at;
      }
    }
  }
  return { rows, seals: hashes.size, loose, oldestLoose, findings };
}

/** An anchor whose seal is gone tells that the end of the chain was cut off; one that differs, that it was written anew. */
function compareAnchors(hashes: ReadonlyMap<number, string>, anchors: readonly AnchorLine[]) {
  const wrong = new Map<number, Finding>();
  for (const { number, hash, sealedAt } of anchors) {
    const stored = hashes.get(number);
    if (stored === hash) continue;
    const kind = stored === undefined ? "truncated" : "seal_altered";
    wrong.set(number, { kind, rowId: null, seal: number, evidence: `${hash} ${sealedAt}` });
  }
  return [...wrong.values()].toSorted((a, b) => Number(a.seal) - Number(b.seal));
}

async function settledMoment(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ at: string }>(
    `SELECT to_char((now() - $1 * interval '1 ms') AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US') AS at`,
    [SETTLED_MS],
  );
  return rows[0]?.at ?? "";
}

async function sealsAfter(client: pg.Client, log: string, number: number): Promise<StoredSeal[]> {
  const { rows } = await client.query<StoredSeal>(
    `SELECT number, row_ids::text[] AS "rowIds", row_hashes AS "rowHashes", last_id::text AS "lastId",
            is_complete AS "isComplete", previous_hash AS "previousHash", hash,
            to_char(sealed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US') AS "sealedAt"
     FROM access_log_seals WHERE shop = $1 AND number > $2 ORDER BY number LIMIT 50`,
    [log, number],
  );
  return rows;
}

async function rowsOf(
  client: pg.Client,
  log: string,
  ids: readonly string[],
): Promise<Map<string, ChainedRow>> {
  if (ids.length === 0) return new Map();
  const { rows } = await client.query<ChainedRow>(
    `SELECT ${CHAINED_COLUMNS} FROM access_log WHERE shop = $1 AND id = ANY($2::bigint[]) ORDER BY access_log.id`,
    [log, ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

async function* idsOf(client: pg.Client, log: string): AsyncGenerator<string[]> {
  let after: string | null = null;
  for (;;) {
    const { rows }: { rows: { id: string }[] } = await client.query<{ id: string }>(
      `SELECT id::text FROM access_log WHERE shop = $1 AND ($2::bigint IS NULL OR id > $2)
       ORDER BY access_log.id LIMIT ${PAGE}`,
      [log, after],
    );
    if (rows.length === 0) return;
    yield rows.map((row) => row.id);
    after = rows.at(-1)?.id ?? null;
  }
}

function findingId(log: string, { kind, rowId, seal, evidence }: Finding): string {
  const text = JSON.stringify([log, kind, rowId, seal, evidence]);
  return createHash("sha256").update(text).digest("hex").slice(0, 12);
}
