-- What the store sells, as last read: the mapping page filters and counts over all of it.
CREATE TABLE "store_variants" (
    "shop" TEXT NOT NULL,
    "variant_id" TEXT NOT NULL,
    "product_id" TEXT NOT NULL,
    "product_title" TEXT NOT NULL,
    "variant_title" TEXT,
    "sku" TEXT,
    "price_cents" INTEGER NOT NULL,
    "product_status" TEXT NOT NULL,
    -- Compared byte by byte, so that pages follow one order on every server.
    "sort_key" TEXT COLLATE "C" NOT NULL,
    "search_text" TEXT NOT NULL,
    "deleted_at" TIMESTAMPTZ(6),
    "read_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "store_variants_pkey" PRIMARY KEY ("shop","variant_id")
);
CREATE INDEX "store_variants_shop_sort_key_variant_id_idx" ON "store_variants"("shop", "sort_key", "variant_id");
CREATE INDEX "store_variants_shop_product_id_idx" ON "store_variants"("shop", "product_id");
CREATE INDEX "store_variants_shop_sku_idx" ON "store_variants"("shop", "sku");

-- How far the reading of a store's products has come.
CREATE TABLE "store_readings" (
    "shop" TEXT NOT NULL,
    "cursor" TEXT,
    "pass_started_at" TIMESTAMPTZ(6),
    "completed_at" TIMESTAMPTZ(6),
    "checked_through" TIMESTAMPTZ(6),

    CONSTRAINT "store_readings_pkey" PRIMARY KEY ("shop")
);

-- Doctors under whose provider number Medicare tests are ordered.
CREATE TABLE "practitioners" (
    "shop" TEXT NOT NULL,
    "provider_number" TEXT NOT NULL,
    "label" TEXT NOT NULL DEFAULT '',
    "name" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "fault" TEXT,
    "fault_at" TIMESTAMPTZ(6),
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "practitioners_pkey" PRIMARY KEY ("shop","provider_number")
);

-- Mappings named their practitioner in full; now they name the registered one.
ALTER TABLE "mappings" ADD COLUMN "provider_number" TEXT;
UPDATE "mappings" SET "provider_number" = "practitioner"->>'providerNumber'
  WHERE jsonb_typeof("practitioner") = 'object';
INSERT INTO "practitioners" ("shop", "provider_number", "name", "address")
  SELECT DISTINCT ON ("shop", "provider_number") "shop", "provider_number",
         coalesce("practitioner"->>'name', ''), coalesce("practitioner"->>'address', '')
  FROM "mappings" WHERE "provider_number" IS NOT NULL
  ORDER BY "shop", "provider_number", "updated_at" DESC;
ALTER TABLE "mappings" DROP COLUMN "practitioner";
CREATE INDEX "mappings_practitioner" ON "mappings" ("shop", "provider_number")
  WHERE "provider_number" IS NOT NULL;

-- A change of many mappings: one row for each variant, worked off by a job.
CREATE TABLE "mapping_runs" (
    "shop" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "environment" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "file_name" TEXT,
    "created_at" TIMESTAMPTZ(6) NOT NULL,
    "finished_at" TIMESTAMPTZ(6),

    CONSTRAINT "mapping_runs_pkey" PRIMARY KEY ("shop","id")
);
CREATE INDEX "mapping_runs_shop_created_at_idx" ON "mapping_runs"("shop", "created_at" DESC);
-- One at a time for each shop.
CREATE UNIQUE INDEX "mapping_runs_running" ON "mapping_runs" ("shop") WHERE "state" = 'running';

CREATE TABLE "mapping_run_rows" (
    "shop" TEXT NOT NULL,
    "run_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "line" INTEGER,
    "variant_id" TEXT,
    "product_id" TEXT,
    "label" TEXT NOT NULL,
    "change" JSONB,
    "was" TEXT NOT NULL DEFAULT '',
    "becomes" TEXT NOT NULL DEFAULT '',
    "field" TEXT,
    "outcome" TEXT,
    "message" TEXT,

    CONSTRAINT "mapping_run_rows_pkey" PRIMARY KEY ("shop","run_id","position")
);
CREATE INDEX "mapping_run_rows_due" ON "mapping_run_rows" ("shop", "run_id", "position") WHERE "outcome" IS NULL;

-- What was last written to a product's page, so that it is written again only when it differs.
CREATE TABLE "published_details" (
    "shop" TEXT NOT NULL,
    "product_id" TEXT NOT NULL,
    "value" TEXT,
    "failure" TEXT,
    "published_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "published_details_pkey" PRIMARY KEY ("shop","product_id")
);

DO $$
DECLARE t text;
BEGIN
  FOREACH t IN ARRAY ARRAY[
    'store_variants', 'store_readings', 'practitioners', 'mapping_runs', 'mapping_run_rows', 'published_details'
  ] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format(
      'CREATE POLICY own_shop ON %I TO pathway_tenant USING (shop = current_setting(''pathway.shop'', true)) WITH CHECK (shop = current_setting(''pathway.shop'', true))',
      t);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO pathway_tenant', t);
  END LOOP;
END $$;
