-- A link to one released result for the owner's doctor (product.md, row 55).
CREATE TABLE "result_shares" (
  "shop" TEXT NOT NULL,
  "id" UUID NOT NULL,
  "request_id" UUID NOT NULL,
  "result_uuid" UUID NOT NULL,
  "token_hash" BYTEA NOT NULL,
  "secret_sealed" BYTEA NOT NULL,
  "owner" TEXT NOT NULL,
  "customer_id" TEXT,
  "released_at" TIMESTAMPTZ(6) NOT NULL,
  "expires_at" TIMESTAMPTZ(6) NOT NULL,
  "revoked_at" TIMESTAMPTZ(6),
  "failed_tries" INTEGER NOT NULL DEFAULT 0,
  "last_failed_at" TIMESTAMPTZ(6),
  "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "result_shares_pkey" PRIMARY KEY ("shop", "id")
);
CREATE UNIQUE INDEX "result_shares_shop_token_hash_key" ON "result_shares" ("shop", "token_hash");
CREATE INDEX "result_shares_shop_request_id_idx" ON "result_shares" ("shop", "request_id");

ALTER TABLE "result_shares" ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_shop ON "result_shares" TO pathway_tenant
  USING (shop = current_setting('pathway.shop', true))
  WITH CHECK (shop = current_setting('pathway.shop', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON "result_shares" TO pathway_tenant;
