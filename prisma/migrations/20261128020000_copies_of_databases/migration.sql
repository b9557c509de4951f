-- The id by which a store of documents knows the database that may write to it and delete from it. A copy has none.
ALTER TABLE "database_identity" ADD COLUMN "documents_id" UUID DEFAULT gen_random_uuid();
-- Until when the database whose place this one took is known to have done its work: later forms were announced by nobody.
ALTER TABLE "database_identity" ADD COLUMN "served_until" TIMESTAMPTZ(6);
-- The database whose place this one took, or beside which it is tried.
ALTER TABLE "database_identity" ADD COLUMN "former_identity" TEXT;
