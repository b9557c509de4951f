-- Where a request stands is kept on its row by triggers, so that every list and count is a walk along an index,
-- whichever code wrote the facts (docs/decisions/0018-the-database-keeps-the-stage.md).

ALTER TABLE "orders"
  -- production | staging | test: where its tests are ordered, and whether the payment was only a test.
  ADD COLUMN "lane" TEXT NOT NULL DEFAULT 'staging',
  -- The reason that a person has marked as handled; forgotten as soon as the reason goes.
  ADD COLUMN "handled_reason" TEXT,
  -- attention, unless it was handled.
  ADD COLUMN "reason" TEXT,
  -- The order's number as people search for it: "#1001" and "PW1001-A" are found by "1001".
  ADD COLUMN "search_key" TEXT COLLATE "C" NOT NULL GENERATED ALWAYS AS (
    lower(coalesce(substring("name" from '[0-9].*'), "name"))
  ) STORED;

ALTER TABLE "referral_requests"
  -- attention | awaiting_details | in_progress | results_ready | cancelled
  ADD COLUMN "stage" TEXT NOT NULL DEFAULT 'awaiting_details',
  ADD COLUMN "reason" TEXT,
  ADD COLUMN "handled_reason" TEXT,
  -- Copied from the order, to list its orders by stage in the order of their payment.
  ADD COLUMN "lane" TEXT NOT NULL DEFAULT 'staging',
  ADD COLUMN "order_paid_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP;

-- `stageOf` and `reasonOf` of app/domain/overview/stage.ts in SQL. A statement of a volatile function sees what was
-- committed while the row's lock was waited for, so whoever holds the lock last decides with all the facts.
CREATE FUNCTION pathway_place_request() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  is_complete boolean;
  holds_results boolean := false;
  why text;
BEGIN
  IF NEW.state = 'created' THEN
    SELECT bool_and(status = 'COMPLETE') INTO is_complete FROM referrals
    WHERE shop = NEW.shop AND request_id = NEW.id AND deleted_at IS NULL AND replaced_by IS NULL;
    holds_results := EXISTS (
      SELECT FROM results
      WHERE shop = NEW.shop AND request_id = NEW.id AND released_at IS NULL AND NOT in_review);
  END IF;
  why := CASE WHEN NEW.state = 'cancelled' THEN NULL
              WHEN NEW.attention IS NOT NULL THEN NEW.attention
              WHEN NEW.replaced_by IS NOT NULL AND NEW.state <> 'created' THEN NULL
              WHEN NEW.state IN ('held', 'rejected') THEN NEW.state
              WHEN holds_results THEN 'results_held' END;
  IF NEW.handled_reason IS DISTINCT FROM why THEN NEW.handled_reason := NULL; END IF;
  NEW.reason := CASE WHEN NEW.handled_reason IS NULL THEN why END;
  NEW.stage := CASE WHEN NEW.state = 'cancelled' THEN 'cancelled'
                    WHEN NEW.reason IS NOT NULL THEN 'attention'
                    WHEN NEW.state = 'rejected' THEN 'cancelled'
                    WHEN NEW.state = 'awaiting_details' THEN 'awaiting_details'
                    WHEN NEW.replaced_by IS NOT NULL AND is_complete IS NULL THEN 'cancelled'
                    WHEN is_complete THEN 'results_ready'
                    ELSE 'in_progress' END;
  RETURN NEW;
END $$;

-- A new request takes its place beside its order.
CREATE FUNCTION pathway_join_order() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  is_test boolean;
  paid timestamptz;
BEGIN
  SELECT test, paid_at INTO is_test, paid FROM orders
  WHERE shop = NEW.shop AND order_id = NEW.order_id;
  NEW.order_paid_at := coalesce(paid, NEW.created_at);
  NEW.lane := CASE WHEN is_test THEN 'test' ELSE NEW.environment END;
  RETURN NEW;
END $$;

-- One real referral makes an order a real one.
CREATE FUNCTION pathway_order_is_real() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE orders SET lane = 'production'
  WHERE shop = NEW.shop AND order_id = NEW.order_id AND lane <> 'production';
  RETURN NULL;
END $$;

CREATE FUNCTION pathway_place_order() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.handled_reason IS DISTINCT FROM NEW.attention THEN NEW.handled_reason := NULL; END IF;
  NEW.reason := CASE WHEN NEW.handled_reason IS NULL THEN NEW.attention END;
  IF NEW.test THEN
    NEW.lane := 'test';
  ELSIF TG_OP = 'INSERT' OR OLD.test THEN
    NEW.lane := coalesce((SELECT environment FROM shops WHERE shop = NEW.shop), 'staging');
  END IF;
  RETURN NEW;
END $$;

CREATE FUNCTION pathway_take_along() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE referral_requests SET
    order_paid_at = NEW.paid_at,
    lane = CASE WHEN NEW.test THEN 'test' ELSE environment END
  WHERE shop = NEW.shop AND order_id = NEW.order_id
    AND (order_paid_at, lane) IS DISTINCT FROM
        (NEW.paid_at, CASE WHEN NEW.test THEN 'test' ELSE environment END);
  RETURN NULL;
END $$;

-- What a referral or a result changes about its request. The request is locked first, always: two writers that
-- hold one of each and want the other would wait for ever.
CREATE FUNCTION pathway_lock_request() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM referral_requests WHERE shop = NEW.shop AND id = NEW.request_id FOR NO KEY UPDATE;
  RETURN NEW;
END $$;

CREATE FUNCTION pathway_restage_request() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    UPDATE referral_requests SET stage = stage WHERE shop = OLD.shop AND id = OLD.request_id;
  END IF;
  IF TG_OP = 'INSERT' OR TG_OP = 'UPDATE' AND NEW.request_id <> OLD.request_id THEN
    UPDATE referral_requests SET stage = stage WHERE shop = NEW.shop AND id = NEW.request_id;
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER request_1_join BEFORE INSERT ON "referral_requests"
  FOR EACH ROW EXECUTE FUNCTION pathway_join_order();
CREATE TRIGGER request_2_place BEFORE INSERT OR UPDATE OF state, attention, replaced_by, handled_reason, stage,
  reason
  ON "referral_requests" FOR EACH ROW EXECUTE FUNCTION pathway_place_request();
CREATE TRIGGER request_3_real AFTER INSERT ON "referral_requests"
  FOR EACH ROW WHEN (NEW.lane = 'production') EXECUTE FUNCTION pathway_order_is_real();

CREATE TRIGGER order_1_place BEFORE INSERT OR UPDATE OF attention, handled_reason, reason, test
  ON "orders" FOR EACH ROW EXECUTE FUNCTION pathway_place_order();
CREATE TRIGGER order_2_requests AFTER INSERT OR UPDATE OF paid_at, test
  ON "orders" FOR EACH ROW EXECUTE FUNCTION pathway_take_along();

CREATE TRIGGER referral_1_lock BEFORE INSERT ON "referrals"
  FOR EACH ROW EXECUTE FUNCTION pathway_lock_request();
CREATE TRIGGER referral_2_restage AFTER INSERT OR DELETE ON "referrals"
  FOR EACH ROW EXECUTE FUNCTION pathway_restage_request();
CREATE TRIGGER referral_3_restage AFTER UPDATE OF status, deleted_at, replaced_by, request_id ON "referrals"
  FOR EACH ROW WHEN ((OLD.status, OLD.deleted_at, OLD.replaced_by, OLD.request_id)
    IS DISTINCT FROM (NEW.status, NEW.deleted_at, NEW.replaced_by, NEW.request_id))
  EXECUTE FUNCTION pathway_restage_request();

CREATE TRIGGER result_1_lock BEFORE INSERT ON "results"
  FOR EACH ROW EXECUTE FUNCTION pathway_lock_request();
CREATE TRIGGER result_2_restage AFTER INSERT OR DELETE ON "results"
  FOR EACH ROW EXECUTE FUNCTION pathway_restage_request();
CREATE TRIGGER result_3_restage AFTER UPDATE OF released_at, in_review, request_id ON "results"
  FOR EACH ROW WHEN ((OLD.released_at, OLD.in_review, OLD.request_id)
    IS DISTINCT FROM (NEW.released_at, NEW.in_review, NEW.request_id))
  EXECUTE FUNCTION pathway_restage_request();

-- What is there already.
UPDATE "referral_requests" r SET
  order_paid_at = o.paid_at,
  lane = CASE WHEN o.test THEN 'test' ELSE r.environment END
FROM "orders" o WHERE o.shop = r.shop AND o.order_id = r.order_id;
UPDATE "orders" o SET
  reason = o.attention,
  lane = CASE WHEN o.test THEN 'test'
              WHEN EXISTS (SELECT FROM referral_requests r WHERE r.shop = o.shop
                           AND r.order_id = o.order_id AND r.environment = 'production') THEN 'production'
              WHEN EXISTS (SELECT FROM referral_requests r WHERE r.shop = o.shop
                           AND r.order_id = o.order_id) THEN 'staging'
              ELSE coalesce((SELECT environment FROM shops s WHERE s.shop = o.shop), 'staging') END;
UPDATE "referral_requests" SET stage = stage;

-- Keyset walks: each list of the admin is a range of one of these, at any depth.
DROP INDEX "orders_attention";
DROP INDEX "requests_attention";
CREATE INDEX "orders_lane" ON "orders" ("shop", "lane", "paid_at" DESC, "order_id" DESC);
CREATE INDEX "orders_reason" ON "orders" ("shop", "paid_at" DESC, "order_id" DESC) WHERE "reason" IS NOT NULL;
CREATE INDEX "orders_reason_lane" ON "orders" ("shop", "lane", "paid_at" DESC, "order_id" DESC)
  WHERE "reason" IS NOT NULL;
CREATE INDEX "orders_search" ON "orders" ("shop", "search_key", "order_id");
CREATE INDEX "requests_stage" ON "referral_requests" ("shop", "stage", "order_paid_at" DESC, "order_id" DESC);
CREATE INDEX "requests_stage_lane"
  ON "referral_requests" ("shop", "stage", "lane", "order_paid_at" DESC, "order_id" DESC);
CREATE INDEX "referrals_reference" ON "referrals" ("shop", "reference");
CREATE INDEX "referrals_without_results" ON "referrals" ("shop", "service_created_at")
  WHERE "status" = 'ISSUED' AND "deleted_at" IS NULL AND "result_uuid" IS NULL;
DROP INDEX "orders_name";

-- How the shop wants the admin's pages, and what Pathway does in the store.
ALTER TABLE "shops"
  ADD COLUMN "setup_dismissed_at" TIMESTAMPTZ(6),
  -- Whether the service e-mails the form itself; null: as the installation says.
  ADD COLUMN "email_by_service" BOOLEAN,
  ADD COLUMN "mark_fulfilled" BOOLEAN NOT NULL DEFAULT false,
  ADD COLUMN "tag_orders" BOOLEAN NOT NULL DEFAULT false,
  -- Start the shop's workflows in Shopify Flow.
  ADD COLUMN "start_flows" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "connections" ADD COLUMN "events_received" INTEGER NOT NULL DEFAULT 0;

-- The store is told of a milestone, whichever code reached it, when the shop wants it told. The singleton key is the
-- payload's values in the order of the job's type (app/db/repositories/outbox.ts).
CREATE FUNCTION pathway_tell_store(shop_ text, order_ text, request_ uuid, milestone_ text)
RETURNS void LANGUAGE sql AS $$
  INSERT INTO outbox (shop, name, singleton_key, payload)
  SELECT shop_, 'tell-store', concat_ws(' ', shop_, order_, request_, milestone_),
         jsonb_build_object('shop', shop_, 'orderId', order_, 'requestId', request_, 'milestone', milestone_)
  FROM shops
  WHERE shop = shop_ AND uninstalled_at IS NULL AND (tag_orders OR mark_fulfilled OR start_flows)
$$;
CREATE FUNCTION pathway_request_milestone() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pathway_tell_store(NEW.shop, NEW.order_id, NEW.id,
    CASE NEW.stage WHEN 'attention' THEN 'attention_needed' ELSE 'results_ready' END);
  RETURN NULL;
END $$;
CREATE FUNCTION pathway_order_milestone() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pathway_tell_store(NEW.shop, NEW.order_id, NULL, 'attention_needed');
  RETURN NULL;
END $$;
CREATE FUNCTION pathway_referral_milestone() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pathway_tell_store(r.shop, r.order_id, r.id, 'referral_issued')
  FROM referral_requests r WHERE r.shop = NEW.shop AND r.id = NEW.request_id;
  RETURN NULL;
END $$;
CREATE TRIGGER request_4_milestone AFTER UPDATE ON "referral_requests" FOR EACH ROW
  WHEN (NEW.stage <> OLD.stage AND NEW.stage IN ('attention', 'results_ready'))
  EXECUTE FUNCTION pathway_request_milestone();
CREATE TRIGGER order_3_milestone AFTER UPDATE ON "orders" FOR EACH ROW
  WHEN (NEW.reason IS DISTINCT FROM OLD.reason AND NEW.reason IS NOT NULL)
  EXECUTE FUNCTION pathway_order_milestone();
CREATE TRIGGER referral_4_milestone AFTER UPDATE ON "referrals" FOR EACH ROW
  WHEN (NEW.status = 'ISSUED' AND OLD.status <> 'ISSUED') EXECUTE FUNCTION pathway_referral_milestone();
CREATE TRIGGER referral_5_milestone AFTER INSERT ON "referrals" FOR EACH ROW
  WHEN (NEW.status = 'ISSUED') EXECUTE FUNCTION pathway_referral_milestone();

-- Selections of the index that the shop's staff keep.
CREATE TABLE "saved_views" (
    "shop" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    -- The selection as the index's address has it.
    "selection" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "saved_views_pkey" PRIMARY KEY ("shop","id")
);
CREATE UNIQUE INDEX "saved_views_shop_name_key" ON "saved_views"("shop", "name");

-- One action that staff asked for on many orders, and what became of each.
CREATE TABLE "bulk_runs" (
    "shop" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "action" TEXT NOT NULL,
    "actor" TEXT NOT NULL,
    -- The selection to walk through, as the index's address has it; null: the orders were named one by one.
    "selection" TEXT,
    -- How far the walk has come.
    "cursor" TEXT,
    -- collecting | running | done
    "state" TEXT NOT NULL,
    "total" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finished_at" TIMESTAMPTZ(6),

    CONSTRAINT "bulk_runs_pkey" PRIMARY KEY ("shop","id")
);
CREATE TABLE "bulk_run_orders" (
    "shop" TEXT NOT NULL,
    "run_id" UUID NOT NULL,
    "order_id" TEXT NOT NULL,
    -- Null while it waits; then done | nothing_to_do | failed.
    "outcome" TEXT,

    CONSTRAINT "bulk_run_orders_pkey" PRIMARY KEY ("shop","run_id","order_id")
);
CREATE INDEX "bulk_run_orders_waiting" ON "bulk_run_orders" ("shop", "run_id") WHERE "outcome" IS NULL;

DO $$
DECLARE t text;
BEGIN
  FOREACH t IN ARRAY ARRAY['saved_views', 'bulk_runs', 'bulk_run_orders'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format(
      'CREATE POLICY own_shop ON %I TO pathway_tenant USING (shop = current_setting(''pathway.shop'', true)) WITH CHECK (shop = current_setting(''pathway.shop'', true))',
      t);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO pathway_tenant', t);
  END LOOP;
END $$;
