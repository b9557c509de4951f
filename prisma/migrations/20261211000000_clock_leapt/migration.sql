-- When the database's clock was last seen to leap ahead: what was to wait until after that waits anew (docs/decisions/0147).
ALTER TABLE "database_identity" ADD COLUMN "leapt_at" TIMESTAMPTZ(6);
