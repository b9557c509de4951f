import type pg from "pg";
import { LimitedClient } from "./limited-client.ts";

/** Prisma's first and last words of a transaction. */
const BEGIN = "BEGIN";
const ENDS = new Set(["COMMIT", "ROLLBACK"]);

/** The answer to a statement that has not been sent. */
const UNSENT = { command: "", rowCount: 0, oid: 0, rows: [], fields: [] };

/**
 * A connection that sends statements without waiting for the answers to those before them, as PostgreSQL allows: what is
 * asked for together goes out together. BEGIN goes out with the first statement of its transaction, and a transaction
 * without one asks nothing. Each write to the socket saved is a tenth of a millisecond of processor time, and each answer
 * not waited for is a journey to the database (docs/decisions/0107).
 */
export class PipelinedClient extends LimitedClient {
  constructor(config?: string | pg.ClientConfig) {
    super({
      ...(typeof config === "string" ? { connectionString: config } : config),
      pipeline: true,
    });
    const send = this.query.bind(this) as (...values: unknown[]) => unknown;
    let hasBegun = true;
    let isCorked = false;
    const { stream } = this.connection;
    const sendWithOthers = (...values: unknown[]) => {
      if (!isCorked) {
        isCorked = true;
        stream.cork();
        // After whatever else is asked for at this moment.
        queueMicrotask(() => {
          isCorked = false;
          stream.uncork();
        });
      }
      return send(...values);
    };
    this.query = ((...values: unknown[]) => {
      const text = textOf(values[0]);
      if (text === BEGIN) {
        hasBegun = false;
        return Promise.resolve(UNSENT);
      }
      if (!hasBegun) {
        hasBegun = true;
        if (ENDS.has(text)) return Promise.resolve(UNSENT);
        // Should it fail, so does the statement that is sent with it, and its sender is told.
        void Promise.allSettled([sendWithOthers(BEGIN)]);
      }
      return sendWithOthers(...values);
    }) as typeof this.query;
  }
}

const textOf = (query: unknown): string =>
  typeof query === "string" ? query : String((query as { text?: unknown } | null)?.text ?? "");
