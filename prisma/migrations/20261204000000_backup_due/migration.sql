-- When the next backup must be there, as whoever makes the backups notes it; null where nobody does.
ALTER TABLE "database_identity" ADD COLUMN "backup_due_at" TIMESTAMPTZ(6);
