-- The access log holds the whole audit now (S5): looks of jobs, changes of settings, refusals and commands of operators,
-- of which some are about no request. Rows are added and never changed.
ALTER TABLE "access_log" ALTER COLUMN "request_id" DROP NOT NULL;
ALTER TABLE "access_log" ADD COLUMN "actor_name" TEXT, ADD COLUMN "detail" JSONB;
CREATE INDEX "access_log_of_shop_idx" ON "access_log" ("shop", "id") WHERE "request_id" IS NULL;

-- The hash chain of each shop's log, in batches: which rows a seal covers, and the running hash after each of them.
-- Seals stand in a table of their own, so that no row of the log is ever updated.
CREATE TABLE "access_log_seals" (
  "shop" TEXT NOT NULL,
  "number" INTEGER NOT NULL,
  "row_ids" BIGINT[] NOT NULL,
  "row_hashes" BYTEA NOT NULL,
  "last_id" BIGINT NOT NULL,
  "is_complete" BOOLEAN NOT NULL,
  "sealed_at" TIMESTAMPTZ(6) NOT NULL,
  "previous_hash" BYTEA NOT NULL,
  "hash" BYTEA NOT NULL,
  CONSTRAINT "access_log_seals_pkey" PRIMARY KEY ("shop", "number")
);
ALTER TABLE "access_log_seals" ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_shop ON "access_log_seals" TO pathway_tenant
  USING (shop = current_setting('pathway.shop', true))
  WITH CHECK (shop = current_setting('pathway.shop', true));
GRANT SELECT, INSERT ON "access_log_seals" TO pathway_tenant;

-- The members of staff who have opened the app: Shopify's user id, name, and the role that the merchant gave them.
-- An audit that names an id alone would be read by nobody, so names of staff stand in clear, here and in the log.
CREATE TABLE "staff_members" (
  "shop" TEXT NOT NULL,
  "staff" TEXT NOT NULL,
  "name" TEXT NOT NULL,
  "is_account_owner" BOOLEAN NOT NULL DEFAULT false,
  "role" TEXT,
  "identified_at" TIMESTAMPTZ(6) NOT NULL,
  CONSTRAINT "staff_members_pkey" PRIMARY KEY ("shop", "staff")
);
ALTER TABLE "staff_members" ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_shop ON "staff_members" TO pathway_tenant
  USING (shop = current_setting('pathway.shop', true))
  WITH CHECK (shop = current_setting('pathway.shop', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON "staff_members" TO pathway_tenant;
