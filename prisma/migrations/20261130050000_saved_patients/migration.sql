-- People whose details a customer keeps for their next tests (docs/decisions/0125). The id is the client's own; the key's
-- is made here, so that a key is never used for another person after it was destroyed.
CREATE TABLE "saved_patients" (
  "shop" TEXT NOT NULL,
  "id" UUID NOT NULL,
  "customer_id" TEXT NOT NULL,
  "key_id" UUID NOT NULL,
  "details_sealed" BYTEA NOT NULL,
  "created_at" TIMESTAMPTZ(6) NOT NULL,
  "updated_at" TIMESTAMPTZ(6) NOT NULL,
  CONSTRAINT "saved_patients_pkey" PRIMARY KEY ("shop", "id")
);

CREATE INDEX "saved_patients_shop_customer_id_idx" ON "saved_patients" ("shop", "customer_id");
CREATE INDEX "saved_patients_shop_updated_at_idx" ON "saved_patients" ("shop", "updated_at");
