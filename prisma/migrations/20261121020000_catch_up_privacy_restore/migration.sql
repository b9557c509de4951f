-- Orders whose webhook never came: one walk through the store's list, page by page.
CREATE TABLE "catch_ups" (
    "shop" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "asked_by" TEXT NOT NULL,
    "since" TIMESTAMPTZ(6) NOT NULL,
    "until" TIMESTAMPTZ(6) NOT NULL,
    "cursor" TEXT,
    "pages" INTEGER NOT NULL DEFAULT 0,
    "seen" INTEGER NOT NULL DEFAULT 0,
    "imported" INTEGER NOT NULL DEFAULT 0,
    "changed" INTEGER NOT NULL DEFAULT 0,
    "reached" TIMESTAMPTZ(6),
    "state" TEXT NOT NULL DEFAULT 'running',
    "failure" TEXT,
    "started_at" TIMESTAMPTZ(6) NOT NULL,
    "finished_at" TIMESTAMPTZ(6),

    CONSTRAINT "catch_ups_pkey" PRIMARY KEY ("shop","id")
);
CREATE INDEX "catch_ups_shop_started_at_idx" ON "catch_ups"("shop", "started_at" DESC);
-- One at a time for each shop.
CREATE UNIQUE INDEX "catch_ups_running" ON "catch_ups" ("shop") WHERE "state" = 'running';

-- Referrals that the service holds and no request knows: the orders they belong to were lost with a restore.
CREATE TABLE "unclaimed_referrals" (
    "shop" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "uuid" UUID NOT NULL,
    "reference_number" TEXT NOT NULL,
    "seen_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "unclaimed_referrals_pkey" PRIMARY KEY ("shop","environment","uuid")
);
CREATE INDEX "unclaimed_referrals_shop_reference_number_idx" ON "unclaimed_referrals"("shop", "reference_number");

-- What was erased for good, without saying whose it was.
CREATE TABLE "erasures" (
    "id" UUID NOT NULL,
    "shop_hash" BYTEA NOT NULL,
    "asked_at" TIMESTAMPTZ(6) NOT NULL,
    "done_at" TIMESTAMPTZ(6) NOT NULL,
    "counts" JSONB NOT NULL,

    CONSTRAINT "erasures_pkey" PRIMARY KEY ("id")
);

-- Which database this is, so that a restored copy of it is told apart.
CREATE TABLE "database_identity" (
    "only" BOOLEAN NOT NULL DEFAULT true CHECK ("only"),
    "identity" TEXT NOT NULL,
    "noted_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "database_identity_pkey" PRIMARY KEY ("only")
);

ALTER TABLE "shops" ADD COLUMN "retention_months" INTEGER;
ALTER TABLE "orders" ADD COLUMN "store_updated_at" TIMESTAMPTZ(6),
                     ADD COLUMN "redacted_at" TIMESTAMPTZ(6);
ALTER TABLE "referral_requests" ADD COLUMN "redacted_at" TIMESTAMPTZ(6);
ALTER TABLE "privacy_duties" ADD COLUMN "customer_id" TEXT,
                             ADD COLUMN "order_ids" TEXT[] NOT NULL DEFAULT '{}',
                             ADD COLUMN "asked_at" TIMESTAMPTZ(6),
                             ADD COLUMN "receipt" JSONB,
                             ADD COLUMN "package_sealed" BYTEA;
ALTER TABLE "connections" ADD COLUMN "tail_list" TEXT,
                          ADD COLUMN "tail_cursor" TEXT,
                          ADD COLUMN "tail_started_at" TIMESTAMPTZ(6),
                          ADD COLUMN "tail_floor" TIMESTAMPTZ(6),
                          ADD COLUMN "tail_pages" INTEGER NOT NULL DEFAULT 0,
                          ADD COLUMN "paused_at" TIMESTAMPTZ(6),
                          ADD COLUMN "restore_point" TIMESTAMPTZ(6);

DO $$
DECLARE t text;
BEGIN
  FOREACH t IN ARRAY ARRAY['catch_ups', 'unclaimed_referrals'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format(
      'CREATE POLICY own_shop ON %I TO pathway_tenant USING (shop = current_setting(''pathway.shop'', true)) WITH CHECK (shop = current_setting(''pathway.shop'', true))',
      t);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO pathway_tenant', t);
  END LOOP;
END $$;
