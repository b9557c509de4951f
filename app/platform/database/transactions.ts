import { AsyncLocalStorage } from "node:async_hooks";
import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { Prisma, PrismaClient } from "../../generated/prisma/client.ts";
import { TransactionTimedOut } from "../errors.ts";
import { BEGIN, COMMIT, isEnd, ROLLBACK, UNSENT } from "./pipelined-client.ts";
import { refusalOf } from "./refusal.ts";
import { takesNoWrites } from "./takes-writes.ts";

/** Statements that are written out, and Prisma's ways to ask for rows of its models, in one transaction. */
export type Transaction = Prisma.TransactionClient;

export interface Transactions {
  /**
   * Runs `work` in one transaction: all that it did is kept, or nothing. Throws what `work` threw, what PostgreSQL refuses, and
   * `TransactionTimedOut` after 20 s, when everything is taken back.
   */
  run<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

interface Options {
  /** Names statements, so that PostgreSQL reads and plans them once on a connection. Empty: it goes without a name. */
  nameOf?: ((statement: string) => string) | undefined;
  timeoutMs?: number;
}

/** No transaction holds its rows and its connection for longer. */
const TIMEOUT_MS = 20_000;
/** Prisma's own limits, which are never reached: a transaction is begun and ended here. */
const PRISMAS_LIMITS = { maxWait: 2 * TIMEOUT_MS, timeout: 2 * TIMEOUT_MS };

/**
 * Opens the transactions of a pool. A statement that is written out goes to PostgreSQL as it is. A question to one of
 * Prisma's models goes through Prisma, on the same connection: Prisma is told that it has a transaction of its own, from the
 * first such question to the end. Through Prisma a transaction with four reads takes three times the processor time
 * (docs/decisions/0150).
 */
export function openTransactions(
  pool: pg.Pool,
  { nameOf, timeoutMs = TIMEOUT_MS }: Options = {},
): Transactions {
  const lent = new AsyncLocalStorage<Lent>();
  let prisma: PrismaClient | null = null;
  const beginPrisma: BeginPrisma = (connection, work) => {
    prisma ??= new PrismaClient({ adapter: new PrismaPg(new LentConnections(lent)) });
    const client = prisma;
    return lent.run(connection, () => client.$transaction(work, PRISMAS_LIMITS));
  };
  return {
    async run(work) {
      const transaction = new OpenTransaction(await pool.connect(), beginPrisma, nameOf);
      // It fails by no means: a connection that can't be rolled back is closed.
      const timer = setTimeout(() => void transaction.expire(), timeoutMs);
      try {
        const value = await work(transaction as unknown as Transaction);
        await transaction.commit();
        return value;
      } catch (error) {
        await transaction.takeBack(error);
        throw error;
      } finally {
        clearTimeout(timer);
      }
    },
    async close() {
      await prisma?.$disconnect();
    },
  };
}

/** The part of a connection that Prisma's driver uses. */
type Lent = Pick<pg.PoolClient, "on" | "removeListener" | "release"> & {
  query(query: pg.QueryConfig): Promise<pg.QueryResult>;
};

type BeginPrisma = (connection: Lent, work: (tx: Transaction) => Promise<void>) => Promise<unknown>;

/** The connections that Prisma is given: that of the transaction which asks. */
class LentConnections extends pg.Pool {
  readonly #lent: AsyncLocalStorage<Lent>;

  constructor(lent: AsyncLocalStorage<Lent>) {
    super();
    this.#lent = lent;
  }

  override connect(): Promise<never> {
    const connection = this.#lent.getStore();
    return connection
      ? Promise.resolve(connection as never)
      : Promise.reject(new Error("Prisma asked outside of a transaction"));
  }
}

/**
 * One transaction of one connection. It has Prisma's methods for statements that are written out, and under the name of each
 * model what Prisma has there.
 */
class OpenTransaction {
  readonly #connection: pg.PoolClient;
  readonly #beginPrisma: BeginPrisma;
  readonly #nameOf: ((statement: string) => string) | undefined;
  /**
   * Why nothing may be asked any more. Made only where it is thrown: an error keeps alive whatever ran where it was made, and Prisma keeps
   * its last hundred transactions (docs/decisions/0203).
   */
  #ended: (() => Error) | null = null;
  /** The first failure of a statement: it decides whether the work is tried again, and others may be told before it is. */
  #failure: unknown = null;
  #models: Promise<Transaction> | null = null;
  /** Tells Prisma that its transaction is over. */
  #endModels: (() => void) | null = null;

  constructor(
    connection: pg.PoolClient,
    beginPrisma: BeginPrisma,
    nameOf?: (statement: string) => string,
  ) {
    this.#connection = connection;
    this.#beginPrisma = beginPrisma;
    this.#nameOf = nameOf;
    // Goes out with the first statement, and can't fail before it.
    void connection.query(BEGIN);
  }

  async $queryRaw(statement: TemplateStringsArray | Prisma.Sql, ...values: unknown[]) {
    return (await this.#askFor(toSql(statement, values))).rows;
  }

  async $executeRaw(statement: TemplateStringsArray | Prisma.Sql, ...values: unknown[]) {
    return (await this.#askFor(toSql(statement, values))).rowCount ?? 0;
  }

  async $queryRawUnsafe(text: string, ...values: unknown[]) {
    return (await this.#askFor({ text, values })).rows;
  }

  async $executeRawUnsafe(text: string, ...values: unknown[]) {
    return (await this.#askFor({ text, values })).rowCount ?? 0;
  }

  #askFor({ text, values }: { text: string; values: readonly unknown[] }) {
    return this.#ask({ text, values: values.map(toParameter), types: TYPES });
  }

  async #ask(query: pg.QueryConfig): Promise<pg.QueryResult> {
    if (this.#ended) throw this.#ended();
    const name = this.#nameOf?.(query.text);
    try {
      return await this.#connection.query(name ? { ...query, name } : query);
    } catch (error) {
      this.#failure ??= error;
      throw refusalOf(error)?.code === BEHIND_A_FAILURE ? this.#failure : error;
    }
  }

  /** Prisma's own transaction, which is this one. */
  models(): Promise<Transaction> {
    if (this.#ended) return Promise.reject(this.#ended());
    this.#models ??= new Promise((resolve, reject) => {
      const over = Promise.withResolvers<void>();
      const ending = this.#beginPrisma(this.#lend(), (tx) => {
        resolve(tx);
        return over.promise;
      });
      // Once it has begun nothing of it can fail: its words for the beginning and the end go nowhere.
      ending.catch(reject);
      this.#endModels = over.resolve;
    });
    return this.#models;
  }

  #lend(): Lent {
    return {
      query: (query) =>
        query.text === BEGIN || isEnd(query.text) ? Promise.resolve(UNSENT) : this.#ask(query),
      on: () => this.#connection,
      removeListener: () => this.#connection,
      release() {},
    };
  }

  async commit(): Promise<void> {
    if (this.#ended) throw this.#ended();
    this.#end(() => new Error("The transaction is over"));
    try {
      await this.#connection.query(COMMIT);
    } catch (error) {
      // Taken back already, or the connection is gone.
      this.#connection.release(isSpoilt(error));
      throw this.#failure ?? error;
    } finally {
      this.#failure = null;
    }
    this.#connection.release();
  }

  async takeBack(because: unknown): Promise<void> {
    if (this.#ended) return;
    this.#end(() => new Error("The transaction was taken back"));
    await this.#rollBack(isSpoilt(because));
  }

  async expire(): Promise<void> {
    if (this.#ended) return;
    this.#end(() => new TransactionTimedOut());
    await this.#rollBack();
  }

  #end(because: () => Error): void {
    this.#ended = because;
    this.#endModels?.();
  }

  async #rollBack(isSpoilt = false): Promise<void> {
    try {
      await this.#connection.query(ROLLBACK);
    } catch (error) {
      // A connection that does not even hear this is not used again.
      this.#connection.release(error instanceof Error ? error : true);
      return;
    } finally {
      this.#failure = null;
    }
    this.#connection.release(isSpoilt);
  }
}

/** PostgreSQL's code for a statement of a transaction in which another one failed. */
const BEHIND_A_FAILURE = "25P02";

/** PostgreSQL's codes for a named statement that it does not know, and for one that returns other columns than it did. */
const NAME_IS_LOST = new Set(["26000", "0A000"]);

/**
 * Whether a connection would fail each time, so that it is closed: with what it believes of a statement's name, or because
 * nothing could be written when it began.
 */
export const isSpoilt = (error: unknown): boolean =>
  NAME_IS_LOST.has(refusalOf(error)?.code ?? "") || takesNoWrites(error);

for (const model of Object.values(Prisma.ModelName)) {
  const name = `${model.charAt(0).toLowerCase()}${model.slice(1)}`;
  Object.defineProperty(OpenTransaction.prototype, name, {
    get(this: OpenTransaction) {
      const ask = (method: string) => async (request: unknown) => {
        const models = (await this.models()) as unknown as Record<string, Delegate>;
        return models[name]?.[method]?.(request);
      };
      return new Proxy({}, { get: (_, method) => ask(String(method)) });
    },
  });
}

type Delegate = Record<string, (request: unknown) => Promise<unknown>>;

const toSql = (statement: TemplateStringsArray | Prisma.Sql, values: unknown[]): Prisma.Sql =>
  "raw" in statement ? Prisma.sql(statement, ...values) : statement;

/** A moment is the same in each time zone; pg would write it in that of the process, which a `date` would take over. */
const toParameter = (value: unknown): unknown =>
  value instanceof Date ? value.toISOString() : value;

const INT8 = 20;
const INT8_ARRAY = 1016;
const toStrings = pg.types.getTypeParser(INT8_ARRAY as never) as (text: string) => string[];

/** Whole numbers of 64 bits come as `bigint`, as Prisma gives them. */
const TYPES: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format: "text") => {
    if (oid === INT8) return BigInt;
    if (oid === INT8_ARRAY) return (text: string) => toStrings(text).map(BigInt);
    return pg.types.getTypeParser(oid, format);
  }) as typeof pg.types.getTypeParser,
};
