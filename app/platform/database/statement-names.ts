/** A connection keeps the plan of each named statement until it ends. */
const MAX_NAMES = 400;
/** Statements that are rare, or of which every number of values makes another, are not worth a name. */
const SEEN_OFTEN = 5;

/**
 * The beginning of a list is planned for the values that it is asked for. A statement that returns whatever columns there are would fail on
 * a connection that is older than a column.
 */
const NEVER_NAMED = /\bORDER BY\b[\s\S]*\bLIMIT\b|\b(SELECT|RETURNING)\s+(\w+\.)?\*/i;

/**
 * Returns a function that names statements, so that PostgreSQL reads and plans each once on a connection: of an order's
 * processor time in PostgreSQL that was a third (docs/decisions/0107). Empty: sent without a name.
 */
export function createStatementNames(): (sql: string) => string {
  const seen = new Map<string, number>();
  const names = new Map<string, string>();
  return (sql) => {
    const known = names.get(sql);
    if (known || names.size >= MAX_NAMES || NEVER_NAMED.test(sql)) return known ?? "";
    const times = (seen.get(sql) ?? 0) + 1;
    if (times < SEEN_OFTEN) {
      if (seen.size >= MAX_NAMES) seen.clear();
      seen.set(sql, times);
      return "";
    }
    seen.delete(sql);
    const name = `pathway-${names.size}`;
    names.set(sql, name);
    return name;
  };
}
