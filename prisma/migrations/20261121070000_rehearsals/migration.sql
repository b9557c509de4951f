-- A synthetic order that is walked to its results in staging, to see that everything works.
CREATE TABLE "rehearsals" (
    "shop" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "variant_id" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "order_id" TEXT NOT NULL,
    "step" TEXT NOT NULL,
    "step_since" TIMESTAMPTZ(6) NOT NULL,
    "trail" JSONB NOT NULL DEFAULT '[]',
    "started_by" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(6) NOT NULL,
    "finished_at" TIMESTAMPTZ(6),
    "failure" TEXT,
    "heard_events" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "rehearsals_pkey" PRIMARY KEY ("shop", "id")
);
CREATE INDEX "rehearsals_shop_started_at_idx" ON "rehearsals" ("shop", "started_at" DESC);
-- One at a time.
CREATE UNIQUE INDEX "rehearsals_running" ON "rehearsals" ("shop") WHERE "finished_at" IS NULL;

-- Each time a member of staff asked to see results, and why. Its window is the time for which they are shown.
CREATE TABLE "reveals" (
    "shop" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "request_id" UUID NOT NULL,
    "staff" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "case_number" TEXT,
    "revealed_at" TIMESTAMPTZ(6) NOT NULL,
    "until" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "reveals_pkey" PRIMARY KEY ("shop", "id")
);
CREATE INDEX "reveals_shop_request_id_idx" ON "reveals" ("shop", "request_id");

DO $$
DECLARE t text;
BEGIN
  FOREACH t IN ARRAY ARRAY['rehearsals', 'reveals'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format(
      'CREATE POLICY own_shop ON %I TO pathway_tenant USING (shop = current_setting(''pathway.shop'', true)) WITH CHECK (shop = current_setting(''pathway.shop'', true))',
      t);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO pathway_tenant', t);
  END LOOP;
END $$;
-- Who looked at what stays as it was written.
REVOKE UPDATE ON "reveals" FROM pathway_tenant;
