-- What is done to many things, each in a transaction of its own: actions on orders, changes of mappings, and everything
-- whose billing failed (decision 0029). Five tables become two.
CREATE TABLE "batches" (
    "shop" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "actor" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "plan" JSONB NOT NULL DEFAULT '{}',
    "cursor" TEXT,
    "created_at" TIMESTAMPTZ(6) NOT NULL,
    "finished_at" TIMESTAMPTZ(6),

    CONSTRAINT "batches_pkey" PRIMARY KEY ("shop","id")
);
CREATE INDEX "batches_shop_kind_created_at_idx" ON "batches" ("shop", "kind", "created_at" DESC);
-- One at a time for each shop and kind. Actions on orders may go on side by side.
CREATE UNIQUE INDEX "batches_running" ON "batches" ("shop", "kind")
  WHERE "state" = 'running' AND "kind" <> 'order_action';

CREATE TABLE "batch_items" (
    "shop" TEXT NOT NULL,
    "batch_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "subject" TEXT,
    "detail" JSONB NOT NULL DEFAULT '{}',
    "detail_sealed" BYTEA,
    "outcome" TEXT,
    "message" TEXT,

    CONSTRAINT "batch_items_pkey" PRIMARY KEY ("shop","batch_id","position")
);
CREATE INDEX "batch_items_due" ON "batch_items" ("shop", "batch_id", "position") WHERE "outcome" IS NULL;
-- Of one thing, one item waits.
CREATE UNIQUE INDEX "batch_items_once" ON "batch_items" ("shop", "batch_id", "subject") WHERE "outcome" IS NULL;

DO $$
DECLARE t text;
BEGIN
  FOREACH t IN ARRAY ARRAY['batches', 'batch_items'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format(
      'CREATE POLICY own_shop ON %I TO pathway_tenant USING (shop = current_setting(''pathway.shop'', true)) WITH CHECK (shop = current_setting(''pathway.shop'', true))',
      t);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO pathway_tenant', t);
  END LOOP;
END $$;

INSERT INTO "batches" ("shop", "id", "kind", "action", "actor", "state", "plan", "cursor", "created_at", "finished_at")
SELECT "shop", "id", 'order_action', "action", "actor", "state",
       CASE WHEN "selection" IS NULL THEN '{}' ELSE jsonb_build_object('selection', "selection") END,
       "cursor", "created_at", "finished_at"
FROM "bulk_runs";
INSERT INTO "batch_items" ("shop", "batch_id", "position", "subject", "detail", "outcome")
SELECT "shop", "run_id", row_number() OVER (PARTITION BY "shop", "run_id" ORDER BY "order_id"), "order_id",
       jsonb_build_object('reasons', to_jsonb("reasons")), "outcome"
FROM "bulk_run_orders";

-- Who asked for a change of mappings was not written down.
INSERT INTO "batches" ("shop", "id", "kind", "action", "actor", "state", "plan", "created_at", "finished_at")
SELECT "shop", "id", 'mapping_change', "kind", 'pathway', "state",
       jsonb_build_object('environment', "environment", 'fileName', "file_name"), "created_at", "finished_at"
FROM "mapping_runs";
INSERT INTO "batch_items" ("shop", "batch_id", "position", "subject", "detail", "detail_sealed", "outcome", "message")
SELECT "shop", "run_id", "position", "variant_id",
       jsonb_build_object('line', "line", 'productId', "product_id", 'label', "label", 'change', "change",
                          'was', "was", 'becomes', "becomes", 'field', "field"),
       "clinical_notes_sealed",
       CASE "outcome" WHEN 'saved' THEN 'done' WHEN 'unchanged' THEN 'nothing_to_do' ELSE "outcome" END, "message"
FROM "mapping_run_rows"
ON CONFLICT DO NOTHING;

-- What became of each test of an asking that has ended stands in its timeline. One that goes on notes what is left.
INSERT INTO "batches" ("shop", "id", "kind", "action", "actor", "state", "created_at", "finished_at")
SELECT "shop", "id", 'reorder', 'billing_failed', "asked_by",
       CASE WHEN "finished_at" IS NULL THEN 'running' ELSE 'done' END, "asked_at", "finished_at"
FROM "bulk_reorders";
INSERT INTO "batch_items" ("shop", "batch_id", "position", "subject")
SELECT b."shop", b."id", row_number() OVER (PARTITION BY b."shop", b."id" ORDER BY r."created_at", r."id"), r."id"::text
FROM "bulk_reorders" b
JOIN "referral_requests" r ON r."shop" = b."shop" AND r."state" = 'created' AND r."created_at" < b."asked_at"
WHERE b."finished_at" IS NULL AND EXISTS (
  SELECT FROM "referrals" f
  WHERE f."shop" = r."shop" AND f."request_id" = r."id" AND f."status" = 'BILLING_FAILED'
    AND f."deleted_at" IS NULL AND f."replaced_by" IS NULL);

DROP TABLE "bulk_run_orders", "bulk_runs", "mapping_run_rows", "mapping_runs", "bulk_reorders";
