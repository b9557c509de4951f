-- CreateTable
CREATE TABLE "leases" (
    "shop" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "holder" UUID NOT NULL,
    "expires_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "leases_pkey" PRIMARY KEY ("shop","name")
);

-- The relay takes the oldest rows of all shops.
CREATE INDEX "outbox_id_idx" ON "outbox" ("id");

ALTER TABLE "leases" ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_shop ON "leases" TO pathway_tenant
  USING (shop = current_setting('pathway.shop', true))
  WITH CHECK (shop = current_setting('pathway.shop', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON "leases" TO pathway_tenant;
