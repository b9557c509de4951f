-- AlterTable
ALTER TABLE "shops" ADD COLUMN "refund_policy" TEXT NOT NULL DEFAULT 'automatic';

-- AlterTable
ALTER TABLE "referral_requests" ADD COLUMN "half" TEXT,
ADD COLUMN "withdrawn_by" TEXT,
ADD COLUMN "replaced_by" UUID;

-- AlterTable
ALTER TABLE "referrals" ADD COLUMN "replaced_by" UUID,
ADD COLUMN "correction" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN "routing_message" TEXT;

-- CreateTable
CREATE TABLE "patient_corrections" (
    "shop" TEXT NOT NULL,
    "request_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "patient_sealed" BYTEA,
    "state" TEXT NOT NULL DEFAULT 'pending',
    "sending_until" TIMESTAMPTZ(6),
    "saved_at" TIMESTAMPTZ(6) NOT NULL,
    "settled_at" TIMESTAMPTZ(6),

    CONSTRAINT "patient_corrections_pkey" PRIMARY KEY ("shop","request_id","number")
);

-- CreateTable
CREATE TABLE "bulk_reorders" (
    "shop" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "asked_by" TEXT NOT NULL,
    "asked_at" TIMESTAMPTZ(6) NOT NULL,
    "total" INTEGER NOT NULL,
    "done" INTEGER NOT NULL DEFAULT 0,
    "skipped" INTEGER NOT NULL DEFAULT 0,
    "finished_at" TIMESTAMPTZ(6),

    CONSTRAINT "bulk_reorders_pkey" PRIMARY KEY ("shop","id")
);

-- CreateTable
CREATE TABLE "customer_merges" (
    "shop" TEXT NOT NULL,
    "from_id" TEXT NOT NULL,
    "into_id" TEXT NOT NULL,
    "merged_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "customer_merges_pkey" PRIMARY KEY ("shop","from_id")
);

-- One asking at a time: a second click finds the first.
CREATE UNIQUE INDEX "bulk_reorders_unfinished" ON "bulk_reorders" ("shop") WHERE "finished_at" IS NULL;
-- What is asked for again at every turn of the tailer, and what Home's banner counts.
CREATE INDEX "patient_corrections_pending" ON "patient_corrections" ("shop", "request_id") WHERE "state" = 'pending';
CREATE INDEX "requests_withdrawing" ON "referral_requests" ("shop", "id")
  WHERE "withdrawn_by" IS NOT NULL AND "state" = 'created';
CREATE INDEX "referrals_billing_failed" ON "referrals" ("shop", "request_id")
  WHERE "status" = 'BILLING_FAILED' AND "deleted_at" IS NULL AND "replaced_by" IS NULL;

-- Each shop's own, as all tenant tables (see the first migration).
DO $$
DECLARE t text;
BEGIN
  FOREACH t IN ARRAY ARRAY['patient_corrections', 'bulk_reorders', 'customer_merges'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format(
      'CREATE POLICY own_shop ON %I TO pathway_tenant USING (shop = current_setting(''pathway.shop'', true)) WITH CHECK (shop = current_setting(''pathway.shop'', true))',
      t);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO pathway_tenant', t);
  END LOOP;
END $$;
