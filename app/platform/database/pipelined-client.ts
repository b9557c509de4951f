import type pg from "pg";
import { LimitedClient } from "./limited-client.ts";
import { BEGIN_SETTLED } from "./session.ts";
import { isStatement, type KnownColumns, sendStatement } from "./statement.ts";
import { isUnanswered } from "./unanswered.ts";

/** The first and last words of a transaction (`openTransactions`, and Prisma's). */
export const BEGIN = "BEGIN";
export const COMMIT = "COMMIT";
export const ROLLBACK = "ROLLBACK";
export const isEnd = (text: string): boolean => text === COMMIT || text === ROLLBACK;
/** PostgreSQL's answer to the COMMIT of a transaction in which something failed. */
const TAKEN_BACK = "ROLLBACK";

/** How rows are asked for (`rowsOf`, and Prisma), and how a tenant's transaction begins (`enterWithKeys`). */
const READS = /^\s*SELECT ("|enter_shop\(|clock_timestamp\(\) AS)/;

/** The answer to a statement that has not been sent, or whose answer is not waited for. */
export const UNSENT = { command: "", rowCount: 0, oid: 0, rows: [], fields: [] };

/**
 * A connection that sends statements without waiting for the answers to those before them, as PostgreSQL allows: what is
 * asked for together goes out together. BEGIN goes out with the first statement of its transaction, and a transaction
 * without one asks nothing. A write that is `unanswered` goes out with the statement after it, and the COMMIT fails if it
 * did. Each write to the socket saved is a tenth of a millisecond of processor time, and each answer not waited for is a
 * journey to the database (docs/decisions/0107, 0123).
 */
export class PipelinedClient extends LimitedClient {
  /** Whether the end of a transaction that only read is waited for. */
  protected readonly waitsForEveryEnd: boolean = false;
  /** The text that goes out for BEGIN. */
  protected readonly begin: string = BEGIN;

  constructor(config?: string | pg.ClientConfig) {
    super({
      ...(typeof config === "string" ? { connectionString: config } : config),
      pipeline: true,
    });
    const sendByPg = this.query.bind(this) as (...values: unknown[]) => unknown;
    const known: KnownColumns = new Map();
    const send = (...values: unknown[]): unknown =>
      isStatement(values) ? sendStatement(sendByPg, values[0], known) : sendByPg(...values);
    let hasBegun = true;
    /** Outside of a transaction nothing comes after a statement that could tell of its failure. */
    let isInside = false;
    /** The stream that keeps what is sent: with TLS another one than at first. */
    let corked: Corked | null = null;
    /** Why this transaction is lost: what the first statement failed with whose answer nobody waited for. */
    let failure: { error: unknown } | null = null;
    /** Whether this transaction has got rows, and asked for nothing else. */
    let hasRead = false;
    let hasDoneMore = false;
    /** Keeps what is sent until `later`. */
    const corkUntil = (later: (uncork: () => void) => void) => {
      if (!corked) {
        corked = this.connection.stream;
        corked.cork();
      }
      later(() => {
        corked?.uncork();
        corked = null;
      });
    };
    const sendUnanswered = (...values: unknown[]) => {
      // With what comes next, but no lock waits for long to be taken.
      corkUntil(setImmediate);
      // Its failure is told by what is sent after it.
      void Promise.resolve(send(...values)).catch((error: unknown) => {
        failure ??= { error };
      });
    };
    const sendWithOthers = (...values: unknown[]): unknown => {
      // With whatever else is asked for at this moment.
      corkUntil(queueMicrotask);
      return send(...values);
    };
    this.query = ((...values: unknown[]) => {
      const text = textOf(values[0]);
      if (text === BEGIN) {
        hasBegun = false;
        isInside = true;
        failure = null;
        hasRead = false;
        hasDoneMore = false;
        return Promise.resolve(UNSENT);
      }
      if (isEnd(text)) isInside = false;
      if (!hasBegun) {
        hasBegun = true;
        if (isEnd(text)) return Promise.resolve(UNSENT);
        // Should it fail, so does the statement that is sent with it, and its sender is told.
        sendUnanswered(this.begin);
      } else if (text === COMMIT && hasRead && !hasDoneMore && !failure && !this.waitsForEveryEnd) {
        // The rows are known, and nothing hangs on how such a transaction ends.
        sendUnanswered(...values);
        return Promise.resolve(UNSENT);
      }
      hasDoneMore ||= !READS.test(text);
      if (isInside && isUnanswered(text)) {
        sendUnanswered(...values);
        return Promise.resolve(UNSENT);
      }
      const answer = sendWithOthers(...values);
      if (!(answer instanceof Promise)) return answer;
      return answer.then(
        (result: unknown) => {
          hasRead = true;
          const lost = failure;
          if (isEnd(text)) failure = null;
          if (text === COMMIT && (lost || isTakenBack(result)))
            throw lost ? lost.error : new Error("The transaction was taken back");
          return result;
        },
        (error: unknown) => {
          throw failure ? failure.error : error;
        },
      );
    }) as typeof this.query;
  }
}

/**
 * The same behind a proxy that gives each transaction any connection. It takes the connection back when the transaction's end
 * is answered, so that nothing may be sent behind one that was not.
 */
export class PooledPipelinedClient extends PipelinedClient {
  protected override readonly waitsForEveryEnd = true;
  /** Nothing is known of its session. */
  protected override readonly begin = BEGIN_SETTLED;
}

type Corked = pg.Client["connection"]["stream"];

const isTakenBack = (result: unknown): boolean =>
  (result as { command?: unknown } | null)?.command === TAKEN_BACK;

const textOf = (query: unknown): string =>
  typeof query === "string" ? query : String((query as { text?: unknown } | null)?.text ?? "");
