import type { ClientBase } from "pg";
import { DatabasesDiffer } from "../errors.ts";

/** Which database answers: the server, its timeline and the database within it. Null while it is a standby. */
export async function readIdentity(asked: Pick<ClientBase, "query">): Promise<string | null> {
  const { rows } = await asked.query<{ identity: string | null }>(
    "SELECT live_identity() AS identity",
  );
  return rows[0]?.identity ?? null;
}

/** Whether two answers can't be of one database. A standby says nothing of itself, and is told elsewhere. */
export const isAnother = (one: string | null, other: string | null): boolean =>
  one !== null && other !== null && one !== other;

/** Throws `DatabasesDiffer` where `asked` is another database than the one that said `identity`. */
export async function requireSameDatabase(
  identity: string | null,
  asked: Pick<ClientBase, "query">,
): Promise<void> {
  if (isAnother(identity, await readIdentity(asked))) throw new DatabasesDiffer();
}

/**
 * Whether both lead to different databases now. Asked twice before it is so: a standby that was promoted between the first two
 * answers says another identity than the primary said.
 */
export async function areDifferent(
  one: Pick<ClientBase, "query">,
  other: Pick<ClientBase, "query">,
): Promise<boolean> {
  const differ = async () => isAnother(await readIdentity(one), await readIdentity(other));
  return (await differ()) && (await differ());
}
