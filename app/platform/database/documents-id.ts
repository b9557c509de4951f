import type { ClientBase, Pool } from "pg";

/**
 * Reads the id by which stores of documents know this database. Null for a copy that no operator has given them, and for a
 * database whose switch nobody has noticed yet.
 */
export async function readDocumentsId(
  client: Pick<ClientBase, "query"> | Pick<Pool, "query">,
): Promise<string | null> {
  const { rows } = await client.query<{ id: string | null }>(
    "SELECT documents_id AS id FROM database_identity WHERE identity = live_identity()",
  );
  return rows[0]?.id ?? null;
}

/** A shop of which a document lies in a store; null where none does. On a connection that sees the rows of all shops. */
export async function shopIn(
  client: Pick<ClientBase, "query"> | Pick<Pool, "query">,
  store: string,
): Promise<string | null> {
  const { rows } = await client.query<{ shop: string }>(
    "SELECT shop FROM document_bodies WHERE store = $1 LIMIT 1",
    [store],
  );
  return rows[0]?.shop ?? null;
}

/** Notes the id by which stores of documents know this database from now on. False while no process has noticed which it is. */
export async function saveDocumentsId(
  client: Pick<ClientBase, "query">,
  id: string,
): Promise<boolean> {
  const { rowCount } = await client.query(
    "UPDATE database_identity SET documents_id = $1 WHERE identity = live_identity()",
    [id],
  );
  return rowCount === 1;
}
