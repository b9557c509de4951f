-- Answers of a patient form that was not accepted yet, so that they survive the end of a session
-- (docs/decisions/0055). One for each request; whoever wrote it alone sees it again.
CREATE TABLE "details_drafts" (
  "shop" TEXT NOT NULL,
  "request_id" UUID NOT NULL,
  "author" TEXT NOT NULL,
  "answers_sealed" BYTEA NOT NULL,
  "expires_at" TIMESTAMPTZ(6) NOT NULL,
  CONSTRAINT "details_drafts_pkey" PRIMARY KEY ("shop", "request_id")
);

ALTER TABLE "details_drafts" ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_shop ON "details_drafts" TO pathway_tenant
  USING (shop = current_setting('pathway.shop', true))
  WITH CHECK (shop = current_setting('pathway.shop', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON "details_drafts" TO pathway_tenant;
