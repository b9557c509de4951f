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

/** pg's own words for a statement that ran out of time, which tell `isDatabaseAway` that it may succeed in a while. */
const READ_TIMEOUT = "Query read timeout";

/** How often a connection looks whether its server still answers. */
const LOOK_MS = 500;

/**
 * How a session writes and reads moments, whatever the server, the database or the login has: Prisma writes them without a zone and
 * takes what it reads for UTC, and pg reads none but those in ISO form. And a backslash in a text is one: pg-boss makes its tables by
 * such texts. Proxies know these parameters, and take no others.
 */
const FORMS = { TimeZone: "UTC", DateStyle: "ISO, MDY", standard_conforming_strings: "on" };

const { getStartupConf } = pg.Client.prototype as unknown as {
  getStartupConf(this: pg.Client): Record<string, string>;
};

/**
 * A connection that ends when its server has not answered for `query_timeout`. pg would fail the statement and keep the
 * connection, on which the next statement would wait behind it: a pool would hand out frozen connections again and again.
 * pg would also keep a timer and a function for each statement, which took a fifth of what the intake can do
 * (docs/decisions/0149).
 */
export class LimitedClient extends pg.Client {
  #limitMs = 0;

  constructor(config?: string | pg.ClientConfig) {
    const { query_timeout: limitMs, ...given } =
      typeof config === "string" ? { connectionString: config } : (config ?? {});
    const socket = new Socket();
    super({ ...given, stream: () => socket });
    if (limitMs) this.#endWhenFrozen(socket, limitMs);
  }

  /** Lets statements of this connection take longer from now on. */
  allow(limitMs: number): void {
    this.#limitMs = limitMs;
  }

  /** The parameters with which pg begins a session. */
  getStartupConf(): Record<string, string> {
    return { ...getStartupConf.call(this), ...FORMS };
  }

  #endWhenFrozen(socket: Socket, limitMs: number): void {
    /** When the server last answered while something waited for it, or the first of what waits was sent. */
    let waitsSince: number | null = null;
    this.#limitMs = limitMs;
    const send = super.query.bind(this) as (...values: unknown[]) => unknown;
    // pg-pool asks in either style, so the method is replaced as a whole and not overloaded.
    this.query = ((...values: unknown[]) => {
      waitsSince ??= performance.now();
      return send(...values);
    }) as typeof this.query;
    this.on("drain", () => {
      waitsSince = null;
    });
    this.connection.on("readyForQuery", () => {
      if (waitsSince !== null) waitsSince = performance.now();
    });
    const look = () => {
      if (waitsSince === null || performance.now() - waitsSince < this.#limitMs) return;
      // Its statements fail with this. Unheard on the connection as well, it would end the process.
      this.on("error", () => {});
      socket.destroy(new Error(READ_TIMEOUT));
    };
    socket.once("connect", () => {
      const timer = setInterval(look, Math.min(LOOK_MS, limitMs / 4)).unref();
      socket.once("close", () => clearInterval(timer));
    });
  }
}
