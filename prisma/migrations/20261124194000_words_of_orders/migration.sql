-- By which words an order is found: hashed under the shop's key, so that the table says nobody's name. The moment of payment
-- stands beside each, so that what a word finds is a walk along one index (docs/decisions/0070).
CREATE TABLE "order_words" (
    "shop" TEXT NOT NULL,
    "order_id" TEXT NOT NULL,
    "word" BYTEA NOT NULL,
    "paid_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "order_words_pkey" PRIMARY KEY ("shop", "order_id", "word")
);
CREATE INDEX "order_words_shop_word_paid_at_order_id_idx"
  ON "order_words" ("shop", "word", "paid_at" DESC, "order_id" DESC);

-- Orders that were read before this are filled in by the job "index-orders".
ALTER TABLE "orders" ADD COLUMN "indexed" BOOLEAN NOT NULL DEFAULT false;
CREATE INDEX "orders_unindexed" ON "orders" ("shop", "order_id") WHERE NOT "indexed" AND "redacted_at" IS NULL;
