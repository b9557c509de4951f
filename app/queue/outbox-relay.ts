/** Long because a pass is one transaction, read from top to bottom: what it takes, decides, settles and hands over. */
import { performance } from "node:perf_hooks";
import { setTimeout as delay } from "node:timers/promises";
import type { Pool, PoolClient } from "pg";
import { keyOf } from "../jobs/definitions.ts";
import { withPresentName } from "../jobs/former-names.ts";
import { crashPoint } from "../platform/crash-points.ts";
import { type Engine, prepared } from "./engine.ts";
import type { Decision, InboxRouter, ReceivedMessage, Wanted } from "./inbox-router.ts";
import { notifyJobRunners } from "./job-notifier.ts";
import { shortKey } from "./short-key.ts";
import type { Loop } from "./vitals.ts";

/** Messages are opened and read one after the other, and intake waits for its turn meanwhile. */
const MESSAGES = 200;
const WORK = 1000;
const POLL_MS = 1000;
/**
 * Rows that come in a stream are moved together: a pass costs more than a row. A process that is busy during a pass
 * waits for longer before the next one, so that intake keeps most of the time. One that only waits for its database does not.
 */
const BETWEEN_PASSES_MS = 25;
const TIMES_TO_REST = 3;

/** Far longer than a pass takes on a machine that is busy. */
const MAX_IDLE_MS = 15_000;

/**
 * A pass need not wait for the disk: rows leave and jobs appear in one transaction, so what a crash of the
 * database takes back is taken back on both sides.
 */
const begin = (maxIdleMs: number) =>
  `BEGIN; SET LOCAL synchronous_commit TO off; SET LOCAL idle_in_transaction_session_timeout TO ${maxIdleMs}`;

interface Due {
  name: string;
  data: Record<string, unknown>;
  /** As the engine has it, by which jobs are put in order too. */
  singletonKey: string;
  /** A time, or how many seconds from now by the database's clock. */
  startAfter: Date | number | null;
  /** Not to be done yet: nobody need look for it now. */
  isLater: boolean;
  /** The step of a trace that asked for it. */
  traceparent: string | null;
}

export interface OutboxRelay {
  /** There is something new. Cheap; call it as often as you like. */
  wake(): void;
  /** Finishes the pass under way and stops. */
  stop(): Promise<void>;
}

export interface OutboxRelayOptions {
  pool: Pool;
  engine: Engine;
  inboxRouter: InboxRouter;
  loop: Loop;
  /** How long it may think between two statements. A process that stands still for longer gives back what it took. */
  maxIdleMs?: number;
}

/**
 * Hands stored messages and queued work to the job engine: the second half of the transactional outbox.
 * Each pass moves a batch in one transaction, so a job exists exactly when its row has left. Any number of
 * processes may run one; rows locked by another are skipped.
 */
export function startOutboxRelay(options: OutboxRelayOptions): OutboxRelay {
  let stopped = false;
  let wanted = false;
  let passing: Promise<void> = Promise.resolve();
  let running = false;

  const pass = async () => {
    running = true;
    try {
      do {
        wanted = false;
        const before = performance.eventLoopUtilization();
        if (await moveBatch(options)) wanted = true;
        else if (wanted) await delay(restMs(performance.eventLoopUtilization(before).active));
        options.loop.turned();
      } while (wanted && !stopped);
    } catch (error) {
      // The rows are still there; the next pass finds them.
      options.loop.failed(error);
    } finally {
      running = false;
    }
  };
  const wake = () => {
    wanted = true;
    if (!running && !stopped) passing = pass();
  };
  // For rows written by a process that died before it could wake anybody.
  const timer = setInterval(wake, POLL_MS);

  return {
    wake,
    async stop() {
      stopped = true;
      clearInterval(timer);
      await passing;
    },
  };
}

const restMs = (busyMs: number) => Math.max(BETWEEN_PASSES_MS, TIMES_TO_REST * busyMs);

/**
 * Moves at most one batch of each kind; returns whether there may be more. Two journeys to the database, because what goes
 * out together waits for one answer. Nothing is changed before BEGIN was answered: should it fail, what was sent with it
 * stands alone, and has only read.
 */
async function moveBatch({
  pool,
  engine,
  inboxRouter,
  maxIdleMs = MAX_IDLE_MS,
}: OutboxRelayOptions): Promise<boolean> {
  const client = await pool.connect();
  let failure: Error | undefined;
  try {
    crashPoint("relay.before-take");
    const [, messages, work] = await Promise.all([
      client.query(begin(maxIdleMs)),
      takeMessages(client, inboxRouter),
      takeWork(client),
    ]);
    const decisions = await decideEach(messages, inboxRouter);
    const jobs = decisions.flatMap(({ jobs, traceparent }) =>
      jobs.map((wanted) => wantedOf(wanted, traceparent)),
    );
    if (jobs.length > 0) crashPoint("relay.after-messages");
    if (work.length > 0) crashPoint("relay.after-work");
    const all = [...jobs, ...work].toSorted(inOneOrder);
    const inserting = insertJobs(client, engine, all);
    // Everything else goes out behind the jobs, in one write to the socket, and the COMMIT last: PostgreSQL takes the
    // transaction back if something before it failed.
    const ending = inserting.sent.then(() => {
      const rest = [
        settleMessages(client, messages, decisions),
        countEvents(client, messages, decisions),
        removeWork(client, work),
        announce(client, all),
      ];
      if (all.length > 0) crashPoint("relay.before-commit");
      return Promise.all([client.query("COMMIT"), ...rest]);
    });
    const [[ended]] = await Promise.all([ending, inserting.done]);
    if (ended.command !== "COMMIT") throw new Error("the pass was taken back");
    if (all.length > 0) crashPoint("relay.after-commit");
    return messages.length >= MESSAGES || work.length >= WORK;
  } catch (error) {
    failure = error instanceof Error ? error : new Error("relay pass failed");
    throw error;
  } finally {
    // With a failure the connection is closed, and PostgreSQL takes the transaction back.
    client.release(failure);
  }
}

/**
 * Takes messages, and of events of the service the rows of their connections, on which they count. A connection that somebody
 * else is writing is not waited for: all shops would wait with it.
 */
async function takeMessages(
  client: PoolClient,
  inboxRouter: InboxRouter,
): Promise<ReceivedMessage[]> {
  const { rows } = await client.query<ReceivedMessage>({
    name: "relay-take-messages",
    text: `WITH taken AS MATERIALIZED (
             SELECT m.shop, m.id, m.source, m.topic, m.event_id AS "eventId", m.traceparent,
                    CASE WHEN m.source = 'service' OR m.topic = ANY($1) THEN m.body_sealed END AS "bodySealed",
                    s.shop IS NOT NULL AS installed
             FROM inbox m LEFT JOIN shops s ON s.shop = m.shop AND s.uninstalled_at IS NULL
             WHERE m.state = 'received'
             ORDER BY m.id LIMIT ${MESSAGES} FOR UPDATE OF m SKIP LOCKED
           ), held AS MATERIALIZED (
             SELECT c.shop, c.environment
             FROM (SELECT DISTINCT shop, topic FROM taken WHERE source = 'service') e, LATERAL (
               SELECT shop, environment FROM connections WHERE shop = e.shop AND environment = e.topic
               FOR NO KEY UPDATE SKIP LOCKED) c
           )
           SELECT taken.*, held.shop IS NOT NULL AS "connectionHeld"
           FROM taken LEFT JOIN held ON taken.source = 'service' AND held.shop = taken.shop AND held.environment = taken.topic
           ORDER BY id`,
    values: [inboxRouter.topics],
  });
  return rows;
}

/** Two passes that insert the same work wait for each other in one order alone: in two orders, each would wait for the other. */
function inOneOrder(a: Due, b: Due): number {
  if (a.name !== b.name) return a.name < b.name ? -1 : 1;
  if (a.singletonKey !== b.singletonKey) return a.singletonKey < b.singletonKey ? -1 : 1;
  return 0;
}

type Decided = Decision & Pick<Due, "traceparent">;

async function decideEach(
  messages: ReceivedMessage[],
  inboxRouter: InboxRouter,
): Promise<Decided[]> {
  const decisions: Decided[] = [];
  for (const message of messages)
    decisions.push({
      ...(await inboxRouter.decide(message)),
      traceparent: message.traceparent,
    });
  return decisions;
}

async function settleMessages(
  client: PoolClient,
  messages: ReceivedMessage[],
  decisions: Decided[],
): Promise<void> {
  if (messages.length === 0) return;
  const told = decisions.map((decision) => decision.told);
  await client.query({
    name: "relay-settle-messages",
    text: `UPDATE inbox SET state = d.state,
                            body_sealed = CASE d.state WHEN 'done' THEN NULL ELSE body_sealed END,
                            event_type = coalesce(d.event_type, inbox.event_type),
                            about = coalesce(d.about, inbox.about), led_to = coalesce(d.led_to, inbox.led_to)
           FROM unnest($1::text[], $2::bigint[], $3::text[], $4::text[], $5::uuid[], $6::text[])
             AS d(shop, id, state, event_type, about, led_to)
           WHERE inbox.shop = d.shop AND inbox.id = d.id`,
    values: [
      messages.map(({ shop }) => shop),
      messages.map(({ id }) => id),
      decisions.map(({ state }) => state),
      told.map((one) => one?.eventType),
      told.map((one) => one?.about),
      told.map((one) => one?.ledTo),
    ],
  });
}

/** Counts the events that are done with on their connections, as their own jobs would: all of them were readable. */
async function countEvents(
  client: PoolClient,
  messages: ReceivedMessage[],
  decisions: Decided[],
): Promise<void> {
  const done = messages.filter((_, at) => decisions[at]?.told);
  if (done.length === 0) return;
  await client.query({
    name: "relay-count-events",
    text: `UPDATE connections SET last_event_at = e.at, events_received = events_received + e.n,
             signed_event_at = CASE WHEN signing_scheme <> 'none' THEN e.at ELSE signed_event_at END
           FROM (SELECT shop, environment, count(*) AS n, now() AS at
                 FROM unnest($1::text[], $2::text[]) AS done (shop, environment) GROUP BY 1, 2) e
           WHERE connections.shop = e.shop AND connections.environment = e.environment`,
    values: [done.map(({ shop }) => shop), done.map(({ topic }) => topic)],
  });
}

function wantedOf({ job, restMs = 0 }: Wanted, traceparent: string | null): Due {
  const { name, ...data } = job;
  const isLater = restMs > 0;
  const startAfter = isLater ? restMs / 1_000 : null;
  return { name, data, singletonKey: shortKey(keyOf(job)), startAfter, isLater, traceparent };
}

interface Work extends Due {
  shop: string;
  id: string;
}

async function takeWork(client: PoolClient): Promise<Work[]> {
  const { rows } = await client.query<{
    shop: string;
    id: string;
    name: string;
    payload: Record<string, unknown>;
    singletonKey: string;
    startAfter: Date;
    isLater: boolean;
    traceparent: string | null;
  }>({
    name: "relay-take-work",
    // A row from the future was written before the clock was set back, and so was the time that it waits for.
    text: `SELECT shop, id, name, payload, singleton_key AS "singletonKey", due.at AS "startAfter",
                  due.at > now() AS "isLater", traceparent
           FROM outbox, LATERAL (SELECT start_after - greatest(created_at - now(), interval '0') AS at) AS due
           ORDER BY id LIMIT ${WORK} FOR UPDATE OF outbox SKIP LOCKED`,
  });
  return rows.map(({ payload, singletonKey, ...row }) =>
    withPresentName({ ...row, data: payload, singletonKey: shortKey(singletonKey) }),
  );
}

async function removeWork(client: PoolClient, work: Work[]): Promise<void> {
  if (work.length === 0) return;
  await client.query({
    name: "relay-remove-work",
    text: `DELETE FROM outbox USING unnest($1::text[], $2::bigint[]) AS taken (shop, id)
           WHERE outbox.shop = taken.shop AND outbox.id = taken.id`,
    values: [work.map(({ shop }) => shop), work.map(({ id }) => id)],
  });
}

/** `sent` resolves once all statements are on their way, `done` with their answers. */
function insertJobs(
  client: PoolClient,
  { boss }: Engine,
  due: Due[],
): { sent: Promise<unknown>; done: Promise<unknown> } {
  const byName = Map.groupBy(due, (one) => one.name);
  const db = prepared(client);
  const inserting = [...byName].map(([name, jobs]) => {
    const { promise: sent, resolve } = Promise.withResolvers<void>();
    const telling: Omit<typeof db, "planAnew"> = {
      executeSql(text, values) {
        const answer = db.executeSql(text, values);
        resolve();
        return answer;
      },
    };
    const inserts = jobs.map(({ data, singletonKey, startAfter, traceparent }) => ({
      // A handler reads what its schema names, and this is for the runner alone.
      data: traceparent ? { ...data, traceparent } : data,
      singletonKey,
      // Workers give each shop its share (job-runner.ts).
      group: { id: String(data.shop) },
      ...(data.behind === true ? { priority: -1 } : {}),
      ...(startAfter ? { startAfter } : {}),
    }));
    const done = boss.insert(name, inserts, { db: telling });
    // An insert that fails before it is sent must not be committed without.
    return { sent: Promise.race([sent, done]), done };
  });
  return {
    sent: Promise.all(inserting.map((one) => one.sent)),
    done: Promise.all(inserting.map((one) => one.done)),
  };
}

/** Wakes whoever does the kinds of work of which something is due now. */
async function announce(client: PoolClient, due: Due[]): Promise<void> {
  const names = new Set(due.filter(({ isLater }) => !isLater).map(({ name }) => name));
  if (names.size > 0) await notifyJobRunners(client, names);
}
