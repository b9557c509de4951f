import { CONNECTION_LIMITS } from "./limited-client.ts";

/** A transaction of a shop ends after 20 s by itself (transactions.ts), and no other rests for longer. */
const MAX_IDLE_SECONDS = 25;

const SECONDS = CONNECTION_LIMITS.query_timeout / 1_000;

const setTo = (name: string, value: string, isLocal: boolean) =>
  `set_config('${name}', '${value}', ${isLocal})`;

/** A limit of time, unless a shorter one holds. PostgreSQL writes none as 0. */
const limitTo = (name: string, seconds: number, isLocal: boolean) =>
  `CASE WHEN current_setting('${name}')::interval NOT BETWEEN '1 ms' AND '${seconds} s'
        THEN ${setTo(name, `${seconds}s`, isLocal)} END`;

/**
 * Makes a session, or a transaction, what this app counts on, whatever the server, the database or the login was given:
 *
 * - a COMMIT is answered once it is on disk: a message that was accepted, and a claim before a byte leaves, outlive a crash;
 * - each statement sees what is committed, and what two write at once is told by locks and not by a failure;
 * - a table without a schema is ours;
 * - the server ends by itself what the process gives up. It notices that nobody waits any more only when it has an answer:
 *   each statement that waited for an operator's lock would keep a connection, until there is none left. And what a process
 *   has locked that stands still, or whose machine is gone, is free again.
 *
 * Said as a statement, because a proxy takes no options for the beginning of a session.
 */
const settle = (isLocal: boolean): string =>
  `SELECT CASE current_setting('synchronous_commit') WHEN 'off' THEN ${setTo("synchronous_commit", "on", isLocal)} END,
          ${setTo("search_path", "public", isLocal)},
          ${limitTo("statement_timeout", SECONDS, isLocal)},
          ${limitTo("idle_in_transaction_session_timeout", MAX_IDLE_SECONDS, isLocal)}`;

export const SETTLE_SESSION = `${settle(false)}, ${setTo("default_transaction_isolation", "read committed", false)}`;

/** The same for one transaction, whose connection is another one's next. */
export const BEGIN_SETTLED = `BEGIN ISOLATION LEVEL READ COMMITTED; ${settle(true)}`;
