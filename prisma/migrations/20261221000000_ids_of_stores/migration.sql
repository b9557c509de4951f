-- Shopify's own id of the store, which stays when its domain changes (docs/decisions/0165), and that of another store which came
-- under the same domain since. The functions that compare them stand in prisma/access.sql.
ALTER TABLE "shops" ADD COLUMN "store_id" TEXT, ADD COLUMN "other_store_id" TEXT;
CREATE INDEX "shops_store_id_idx" ON "shops"("store_id");
