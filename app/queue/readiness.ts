import { open } from "node:fs/promises";
import { devNull } from "node:os";
import type { Pool } from "pg";
import { readBacklog } from "../modules/reports/postgres/work-health.ts";
import { checkGrants, checkSchema } from "../platform/database/check-access.ts";
import { isDatabaseAway } from "../platform/database/database-away.ts";
import { areDifferent } from "../platform/database/same-database.ts";
import { takesNoWrites, takesWrites } from "../platform/database/takes-writes.ts";
import { DatabaseNotWritable, DatabasesDiffer } from "../platform/errors.ts";
import type { Logger } from "../platform/logger.ts";
import { regularly } from "./regularly.ts";
import type { UnreadyReason, Vitals } from "./vitals.ts";

const READINESS_EVERY_MS = 5_000;
/** The relay moves rows within a second; the rest is for a burst. */
const LATE_SECONDS = 120;

const LOOKS = [
  "tenant_refused",
  "schema_unknown",
  "access_changed",
  "relay_late",
  "intake_failing",
  "files_exhausted",
] as const;
type Look = (typeof LOOKS)[number];

/** As large as a large order, so that it finds no room in what is there already. */
const TRY = `
  INSERT INTO inbox (shop, source, topic, event_id, body_sealed)
  SELECT 'nobody.invalid', 'shopify', 'readiness', gen_random_uuid()::text, string_agg(sha256(n::text::bytea), '')
  FROM generate_series(1, 2048) AS n`;

interface IntakeLook {
  /** The connections of messages that come in. */
  pool: Pool;
  /** Whether the last message could not be stored. */
  isFailing: () => boolean;
  /** Told with each look that got its answers whether messages would be stored in another database than the work is in. */
  onLooked?: (isElsewhere: boolean) => void;
}

export interface ReadinessOptions {
  /** The process's own connections. */
  pool: Pool;
  /** Where this process takes messages. */
  intake?: IntakeLook | undefined;
  /** Begins a transaction of a shop, reads, and ends it. */
  tryTenant: () => Promise<void>;
  vitals: Pick<Vitals, "loop" | "watch">;
  logger: Logger;
  everyMs?: number;
}

/**
 * Looks again and again whether the database still lets this process work: a tenant's transaction, the grants and policies
 * that `npm run migrate` gave, the migrations of this version, and a relay that keeps up. And whether this process may still open anything.
 */
export function watchReadiness(options: ReadinessOptions): { stop(): void } {
  const { pool, intake, tryTenant, vitals, logger, everyMs = READINESS_EVERY_MS } = options;
  // Messages come in by a login of their own.
  const otherLogins = intake ? (["pathway_intake"] as const) : [];
  /** The reason of each look that does not go well. */
  const found = new Map<Look, UnreadyReason>();

  /** One look that fails says that its own reason holds, unless it got no connection or no answer; the log has it once. */
  async function look(what: Look, well: () => Promise<unknown>): Promise<void> {
    try {
      await well();
      found.delete(what);
    } catch (error) {
      const reason = reasonOf(error) ?? what;
      if (!found.has(what)) logger.error({ err: error, reason }, "this process is not ready");
      found.set(what, reason);
    }
  }
  /**
   * The intake logs in by itself, so that all else may be well while no message can be stored. And a disk that is full is noticed by
   * whoever writes: once a message was not stored, it is tried here until one could be. Nobody sends any to a process that is not
   * ready. Messages under way have the connections, and tell it themselves. That they went elsewhere they cannot tell.
   */
  async function lookAtIntake(intake: IntakeLook): Promise<void> {
    const { pool: messages, isFailing } = intake;
    const isBusy = messages.totalCount > messages.idleCount;
    if (!isBusy)
      await look("intake_failing", async () => {
        if (!(await takesWrites(messages))) throw new DatabaseNotWritable();
        await requireHere(intake, pool);
        if (isFailing()) await tryIntake(messages);
      });
    else if (!isFailing())
      await look("intake_failing", () =>
        requireHere(intake, pool).catch((error: unknown) => {
          if (error instanceof DatabasesDiffer) throw error;
        }),
      );
  }
  // Side by side: one after the other, each might wait for a frozen connection of its own until it runs out of time.
  const turn = async () => {
    const [backlog] = await Promise.all([
      readBacklog(pool),
      look("tenant_refused", tryTenant),
      look("schema_unknown", () => checkSchema(pool)),
      look("access_changed", () => checkGrants(pool, otherLogins)),
      look("files_exhausted", tryOpening),
      intake && lookAtIntake(intake),
    ]);
    const ageSeconds = Math.max(backlog.outboxAgeSeconds, backlog.inboxAgeSeconds);
    if (ageSeconds > LATE_SECONDS) found.set("relay_late", "relay_late");
    else found.delete("relay_late");
  };
  for (const what of LOOKS) vitals.watch(() => found.get(what) ?? null);
  const loop = vitals.loop("readiness", everyMs);
  return regularly(loop, { firstMs: everyMs, everyMs }, turn);
}

/** Why a look failed whatever it looked at; null when it is about what it looked at. */
function reasonOf(error: unknown): UnreadyReason | null {
  if (error instanceof DatabasesDiffer) return "databases_differ";
  if (takesNoWrites(error)) return "database_takes_no_writes";
  return isDatabaseAway(error) ? "database_unreachable" : null;
}

/** Throws `DatabasesDiffer` where messages would be stored in another database than the work is in. */
async function requireHere({ pool, onLooked }: IntakeLook, own: Pool): Promise<void> {
  const isElsewhere = await areDifferent(own, pool);
  onLooked?.(isElsewhere);
  if (isElsewhere) throw new DatabasesDiffer();
}

/** A process without files takes no new connection. Those that it has go on, and none of them tells it. */
const tryOpening = async () => (await open(devNull)).close();

/** Puts a message on disk as the intake does, and takes it back. */
async function tryIntake(pool: Pool): Promise<void> {
  const client = await pool.connect();
  let failure: Error | undefined;
  try {
    await client.query("BEGIN");
    await client.query(TRY);
    await client.query("ROLLBACK");
  } catch (error) {
    failure = error instanceof Error ? error : new Error("a message could not be stored");
    throw error;
  } finally {
    // With a failure the connection is closed, and PostgreSQL takes the transaction back.
    client.release(failure);
  }
}
