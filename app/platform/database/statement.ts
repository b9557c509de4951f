import pg from "pg";

/** The form of a statement's rows, as a connection has told it. */
interface Columns {
  names: readonly string[];
  readers: readonly ((text: string) => unknown)[];
  /** A row in its form. */
  empty: Readonly<Record<string, null>>;
  fields: pg.FieldDef[];
}

/** By the names of a connection's statements, for as long as the connection lives. */
export type KnownColumns = Map<string, Columns>;

const NO_COLUMNS: Columns = { names: [], readers: [], empty: {}, fields: [] };

/** The parts of pg's query that its types don't tell (pg/lib/query.js). */
interface Sent {
  name?: string;
  types?: pg.CustomTypesConfig | undefined;
  readonly _result: pg.QueryResult;
  /** Why the rows could not be read. */
  _canceledDueToError: unknown;
  prepare(connection: pg.Connection): void;
  handleCommandComplete(message: unknown, connection: pg.Connection): void;
}

const { prepare, handleCommandComplete } = pg.Query.prototype as unknown as Sent;

/**
 * A statement with values or a name, for which pg takes two thirds of the processor time that it takes for one of its own
 * (docs/decisions/0223). pg would copy what it is given, property by property, and make the form of a row anew for each answer. And it would
 * have PostgreSQL describe the columns each time: here a connection is asked once for those of a name. They stay what they
 * are: PostgreSQL refuses a name (0A000) rather than return other columns, and such a connection is closed (`isSpoilt`).
 */
class Statement extends pg.Query {
  readonly #known: KnownColumns;
  #columns: Columns | undefined;

  constructor(
    { name, text, values, types }: pg.QueryConfig,
    known: KnownColumns,
    answered: (error: Error | undefined, result: pg.QueryResult) => void,
  ) {
    super(text, values, answered as never);
    this.#known = known;
    this.#sent.types = types;
    if (!name) return;
    this.#sent.name = name;
    this.#columns = known.get(name);
  }

  get #sent(): Sent {
    return this as unknown as Sent;
  }

  prepare(connection: pg.Connection): void {
    prepare.call(this.#sent, this.#columns ? withoutDescribing(connection) : connection);
  }

  handleRowDescription({ fields }: { fields: pg.FieldDef[] }): void {
    const { name, types = pg.types } = this.#sent;
    this.#columns = columnsOf(fields, types);
    if (name) this.#known.set(name, this.#columns);
  }

  handleDataRow({ fields: texts }: { fields: (string | null)[] }): void {
    const { names, readers, empty } = this.#columns ?? NO_COLUMNS;
    try {
      const row: Record<string, unknown> = { ...empty };
      for (const [at, name] of names.entries()) {
        const text = texts[at];
        if (text != null) row[name] = readers[at]?.(text);
      }
      this.#sent._result.rows.push(row);
    } catch (error) {
      this.#sent._canceledDueToError ||= error;
    }
  }

  handleCommandComplete(message: unknown, connection: pg.Connection): void {
    const { name, _result } = this.#sent;
    // It was described, and returns nothing.
    if (!this.#columns && name) this.#known.set(name, NO_COLUMNS);
    _result.fields = this.#columns?.fields ?? [];
    handleCommandComplete.call(this.#sent, message, connection);
  }
}

function columnsOf(fields: pg.FieldDef[], types: pg.CustomTypesConfig): Columns {
  const names = fields.map(({ name }) => name);
  return {
    ...{ names, fields },
    readers: fields.map(({ dataTypeID }) => types.getTypeParser(dataTypeID, "text")),
    empty: Object.fromEntries(names.map((name) => [name, null])),
  };
}

/** The same connection, which is not asked to describe what it returns. */
const withoutDescribing = (connection: pg.Connection): pg.Connection =>
  Object.create(connection, { describe: { value: () => {} } });

/** Whether this is one statement, with a name or values, whose answer is given by a promise, its rows under the names of their columns. */
export function isStatement(asked: readonly unknown[]): asked is [pg.QueryConfig] {
  const [query, ...others] = asked;
  // A pool asks with a callback.
  if (others.some(Boolean) || typeof query !== "object" || query === null) return false;
  const { name, values, ...rest } = query as Partial<pg.QueryConfig>;
  // A text alone may be several.
  const isOne = Boolean(name) || (values?.length ?? 0) > 0;
  return isOne && Object.keys(rest).every((key) => key === "text" || key === "types");
}

/** Sends a statement by `send`, which is pg's. Fails with what PostgreSQL refuses, told from where it was asked. */
export const sendStatement = (
  send: (statement: pg.Query) => void,
  query: pg.QueryConfig,
  known: KnownColumns,
): Promise<pg.QueryResult> =>
  new Promise<pg.QueryResult>((resolve, reject) => {
    send(new Statement(query, known, (error, result) => (error ? reject(error) : resolve(result))));
  }).catch((error: unknown) => {
    // Else its stack tells of the socket alone.
    if (error instanceof Error) Error.captureStackTrace(error);
    throw error;
  });
