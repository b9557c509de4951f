-- Who holds a unit, links for people without an account, and mails that may come more than once.
ALTER TABLE "shops"
  ADD COLUMN "name" TEXT,
  ADD COLUMN "reminder_days" INTEGER[] NOT NULL DEFAULT ARRAY[2, 5, 10]::INTEGER[],
  ADD COLUMN "details_end_days" INTEGER NOT NULL DEFAULT 21;

ALTER TABLE "referral_requests"
  ADD COLUMN "holder" TEXT NOT NULL DEFAULT 'buyer',
  ADD COLUMN "holder_email_sealed" BYTEA,
  ADD COLUMN "handed_over_at" TIMESTAMPTZ(6),
  ADD COLUMN "claimed_at" TIMESTAMPTZ(6),
  ADD COLUMN "reminders_stopped_at" TIMESTAMPTZ(6);

ALTER TABLE "notifications" ADD COLUMN "occurrence" TEXT NOT NULL DEFAULT '';
DROP INDEX "notifications_shop_request_id_kind_key";
CREATE UNIQUE INDEX "notifications_shop_request_id_kind_occurrence_key"
  ON "notifications" ("shop", "request_id", "kind", "occurrence");

CREATE TABLE "patient_links" (
  "shop" TEXT NOT NULL,
  "id" UUID NOT NULL,
  "token_hash" BYTEA NOT NULL,
  "request_id" UUID NOT NULL,
  "kind" TEXT NOT NULL,
  "expires_at" TIMESTAMPTZ(6) NOT NULL,
  "used_at" TIMESTAMPTZ(6),
  "revoked_at" TIMESTAMPTZ(6),
  "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "patient_links_pkey" PRIMARY KEY ("shop", "id")
);
CREATE UNIQUE INDEX "patient_links_shop_token_hash_key" ON "patient_links" ("shop", "token_hash");
CREATE INDEX "patient_links_shop_request_id_idx" ON "patient_links" ("shop", "request_id");

CREATE TABLE "patient_sessions" (
  "shop" TEXT NOT NULL,
  "secret_hash" BYTEA NOT NULL,
  "link_id" UUID NOT NULL,
  "expires_at" TIMESTAMPTZ(6) NOT NULL,
  CONSTRAINT "patient_sessions_pkey" PRIMARY KEY ("shop", "secret_hash")
);
CREATE INDEX "patient_sessions_shop_link_id_idx" ON "patient_sessions" ("shop", "link_id");

-- Row-level security as on every table of a shop.
DO $$
DECLARE t text;
BEGIN
  FOREACH t IN ARRAY ARRAY['patient_links', 'patient_sessions'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format(
      'CREATE POLICY own_shop ON %I TO pathway_tenant USING (shop = current_setting(''pathway.shop'', true)) WITH CHECK (shop = current_setting(''pathway.shop'', true))',
      t);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO pathway_tenant', t);
  END LOOP;
END $$;
