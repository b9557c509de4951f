import { Socket } from "node:net";
import pg from "pg";

/** Limits of every connection: none waits for ever for a server that is gone without a word. */
export const CONNECTION_LIMITS = {
  connectionTimeoutMillis: 5_000,
  /** The limit of one statement, by this process's own measure: a frozen server does not keep its own. */
  query_timeout: 10_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 5_000,
} as const;

/** Words of pg for a statement that ran out of time; it gives them no code. */
const READ_TIMEOUT = "Query read timeout";

/**
 * A connection that ends when one of its statements runs out of time. pg reports such a statement and keeps the
 * connection, on which the next one would wait behind it: a pool would hand out frozen connections again and again.
 */
export class LimitedClient extends pg.Client {
  readonly #socket: Socket;

  constructor(config?: string | pg.ClientConfig) {
    const socket = new Socket();
    super({
      ...(typeof config === "string" ? { connectionString: config } : config),
      stream: () => socket,
    });
    this.#socket = socket;
    // pg-pool asks in either style, so the method is replaced as a whole and not overloaded.
    const send = super.query.bind(this) as (...values: unknown[]) => unknown;
    this.query = ((...values: unknown[]) => {
      const told = values.at(-1);
      if (typeof told === "function")
        return send(...values.slice(0, -1), (error: Error | null, result: unknown) => {
          this.#endIfFrozen(error);
          told(error, result);
        });
      const answer = send(...values);
      if (answer instanceof Promise) answer.catch((error: unknown) => this.#endIfFrozen(error));
      return answer;
    }) as typeof this.query;
  }

  #endIfFrozen(error: unknown): void {
    if (error instanceof Error && error.message === READ_TIMEOUT) this.#socket.destroy();
  }
}
