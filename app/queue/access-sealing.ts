import type { Pool } from "pg";
import { INSTALLATION, logName } from "../modules/kernel/access-chain.ts";
import type { Anchor } from "../modules/kernel/access-seals.ts";
import { shopDomain } from "../modules/kernel/ids.ts";
import type { Tenant } from "../modules/kernel/tenant.ts";
import { type AnchorLine, appendAnchors } from "../platform/audit-anchors.ts";
import type { Clock } from "../platform/clock.ts";
import type { Logger } from "../platform/logger.ts";
import { regularly } from "./regularly.ts";
import type { Loop } from "./vitals.ts";

/** What was logged is chained within a minute: a turn has the rest of it. */
export const SEAL_EVERY_MS = 20_000;

export interface SealingOptions {
  pool: Pool;
  /** Runs `work` in one transaction that sees one log. */
  inLog<T>(
    log: string,
    work: (tenant: Pick<Tenant, "accessSeals" | "accessLog">) => Promise<T>,
  ): Promise<T>;
  /** Where the heads of the chains are noted, outside the database. */
  folder: string;
  clock: Clock;
  logger: Logger;
}

/**
 * The logs that have something to chain. A row that was committed late has a lower id than its neighbours: a log is looked
 * at again for ten minutes.
 */
const LOGS_TO_SEAL = "SELECT logs_to_seal($1) AS shop";

/** Chains the access log of every shop again and again (decision 42). */
export function startAccessSealing(options: SealingOptions, loop: Loop): { stop(): void } {
  const anchored = new Map<string, number>();
  const stuck = new Set<string>();
  const times = { firstMs: SEAL_EVERY_MS / 4, everyMs: SEAL_EVERY_MS };
  return regularly(loop, times, () => sealAccessLogs(options, anchored, stuck));
}

/**
 * Chains what was logged since, log by log, and notes the head of each chain in the process's log and in the anchor
 * file. `anchored`: the numbers that this process has noted. A process that dies between a seal and its anchor leaves
 * the head to the next turn. `stuck`: the logs that could not be chained when they were tried last. They come behind the others: one may take
 * nothing for long, as while somebody holds a lock or its shop's keys are damaged. Heads are noted after all logs were tried: a folder
 * that takes none, as on a full disk, keeps no log from being chained.
 */
export async function sealAccessLogs(
  { pool, inLog, folder, clock, logger }: SealingOptions,
  anchored: Map<string, number>,
  stuck = new Set<string>(),
): Promise<void> {
  const { rows } = await pool.query<{ shop: string }>(LOGS_TO_SEAL, [INSTALLATION]);
  const isStuck = ({ shop }: { shop: string }) => Number(stuck.has(shop));
  const heads: Anchor[] = [];
  try {
    for (const { shop } of rows.toSorted((a, b) => isStuck(a) - isStuck(b))) {
      if (shop !== INSTALLATION && !shopDomain(shop)) continue;
      stuck.add(shop);
      const head = await sealLog(inLog, shop);
      stuck.delete(shop);
      if (head && (anchored.get(shop) ?? 0) < head.number) heads.push(head);
    }
  } finally {
    const lines = heads.map(anchorOf);
    await appendAnchors(folder, lines, clock.now());
    for (const line of lines) logger.info(line, "access log sealed");
    for (const { shop, number } of heads) anchored.set(shop, number);
  }
}

async function sealLog(inLog: SealingOptions["inLog"], shop: string): Promise<Anchor | null> {
  for (;;) {
    const { head, isMoreLeft } = await inLog(shop, (tenant) => tenant.accessSeals.sealNext());
    if (!isMoreLeft) return head;
  }
}

const anchorOf = ({ shop, ...head }: Anchor): AnchorLine => ({ log: logName(shop), ...head });
