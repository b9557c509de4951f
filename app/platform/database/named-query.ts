import pg from "pg";

/** A statement with a name whose rows come as objects. */
export interface NamedConfig extends pg.QueryConfig {
  name: string;
}

/** The objects that pg makes of the columns of an answer. */
interface Columns {
  fields: unknown;
  _parsers: unknown;
  _prebuiltEmptyResultObject: unknown;
}

/** The named statements that a connection has answered, with the columns of their answers. */
export type KnownColumns = Map<string, Columns>;

/** The part of pg's `Query` that its types leave out. */
interface Query extends pg.Submittable {
  name: string;
  types: unknown;
  _result: Columns & { _types: unknown };
  _accumulateRows: boolean;
  prepare(connection: pg.Connection): void;
  handleCommandComplete(message: unknown, connection: pg.Connection): void;
}

type Callback = (error: Error | null, result: pg.QueryResult) => void;

const Query = pg.Query as unknown as new (
  text: string,
  values: unknown,
  callback: Callback,
) => Query;

/**
 * A statement whose columns a connection asks for once. pg asks each time, and makes the same objects of the answer anew. They stay as they
 * are: PostgreSQL refuses a named statement that would return other columns than before.
 */
export class NamedQuery extends Query {
  readonly #known: KnownColumns;

  constructor(
    { name, text, values, types }: NamedConfig,
    { known, callback }: { known: KnownColumns; callback: Callback },
  ) {
    super(text, values, callback);
    this.name = name;
    this.types = types;
    this._result._types = types;
    this.#known = known;
  }

  override prepare(connection: pg.Connection): void {
    const columns = this.#known.get(this.name);
    if (!columns) {
      super.prepare(connection);
      return;
    }
    Object.assign(this._result, columns);
    this._accumulateRows = true;
    super.prepare(Object.create(connection, SILENT));
  }

  override handleCommandComplete(message: unknown, connection: pg.Connection): void {
    super.handleCommandComplete(message, connection);
    const { fields, _parsers, _prebuiltEmptyResultObject } = this._result;
    if (!this.#known.has(this.name))
      this.#known.set(this.name, { fields, _parsers, _prebuiltEmptyResultObject });
  }
}

/** A connection that does not ask for columns. */
const SILENT = { describe: { value: () => {} } };

/** Whether a connection may be asked this by a `NamedQuery`. Prisma asks for rows as lists. */
export const isNamed = (query: unknown): query is NamedConfig =>
  typeof query === "object" && query !== null && "name" in query && !("rowMode" in query);
