-- Orders that came to need a person since the last email about such orders.
CREATE TABLE "attention_news" (
  "shop" TEXT NOT NULL,
  "order_id" TEXT NOT NULL,
  CONSTRAINT "attention_news_pkey" PRIMARY KEY ("shop", "order_id")
);

-- The forms and reports of one day are counted for the daily summary.
CREATE INDEX "documents_first" ON "documents" ("shop", "created_at") WHERE "version" = 1;
