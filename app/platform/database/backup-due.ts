import type { Pool } from "pg";

/**
 * For how many seconds a backup has been overdue; 0 before it is due, null where nobody notes backups. Whoever makes them
 * notes when the next one must be there (ops/backup.sh).
 */
export async function readBackupOverdue(pool: Pick<Pool, "query">): Promise<number | null> {
  const { rows } = await pool.query<{ overdue: number }>(
    `SELECT greatest(extract(epoch FROM now() - backup_due_at), 0)::float8 AS overdue
     FROM database_identity WHERE backup_due_at IS NOT NULL`,
  );
  return rows[0]?.overdue ?? null;
}
