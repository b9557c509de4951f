-- A link opens what it was mailed for. The default is the least that a link may open: a process of the former version
-- names no purpose while the versions change.
ALTER TABLE "patient_links"
  ADD COLUMN "purpose" TEXT NOT NULL DEFAULT 'details',
  ADD COLUMN "recipient" BYTEA,
  ADD COLUMN "superseded_at" TIMESTAMPTZ(6);

UPDATE "patient_links" SET "purpose" = 'stop' WHERE "kind" IN ('buyer_stop', 'patient_stop');

-- A link was made moments before its mail was written down as sent. Where no such mail is known, the link asks for
-- details.
UPDATE "patient_links" l
SET "purpose" = CASE n."kind"
  WHEN 'unit_for_you' THEN 'invitation'
  WHEN 'correction_needed' THEN 'correction'
  WHEN 'correction_refused' THEN 'status'
  WHEN 'form_ready' THEN 'form'
  WHEN 'form_corrected' THEN 'form'
  WHEN 'results_available' THEN 'results'
  ELSE 'details'
END
FROM (
  SELECT o."shop", o."id", m."kind"
  FROM "patient_links" o
  CROSS JOIN LATERAL (
    SELECT s."kind" FROM "notifications" s
    WHERE s."shop" = o."shop" AND s."request_id" = o."request_id"
      AND s."sent_at" BETWEEN o."created_at" AND o."created_at" + interval '5 minutes'
    ORDER BY s."sent_at" LIMIT 1
  ) m
) n
WHERE l."shop" = n."shop" AND l."id" = n."id" AND l."kind" IN ('guest', 'handover');

-- A newer link of the same unit and recipient was mailed. A guest's link for details is for the whole order, and only
-- results replace results.
UPDATE "patient_links" l
SET "superseded_at" = n."created_at"
FROM "patient_links" n
WHERE n."shop" = l."shop" AND n."request_id" = l."request_id" AND n."kind" = l."kind"
  AND l."kind" IN ('guest', 'handover') AND n."created_at" > l."created_at"
  AND (l."kind" = 'handover' OR l."purpose" <> 'details' OR n."purpose" = 'details')
  AND (l."purpose" <> 'results' OR n."purpose" = 'results');

-- The visit has shown the code that was mailed to its owner.
ALTER TABLE "patient_sessions" ADD COLUMN "stepped_up_at" TIMESTAMPTZ(6);

-- Codes that were mailed as the second step to results. Tries and codes are counted for each recipient.
CREATE TABLE "step_up_codes" (
  "shop" TEXT NOT NULL,
  "id" UUID NOT NULL,
  "request_id" UUID NOT NULL,
  "recipient" BYTEA NOT NULL,
  "session_hash" BYTEA NOT NULL,
  "code_hash" BYTEA NOT NULL,
  "expires_at" TIMESTAMPTZ(6) NOT NULL,
  "ended_at" TIMESTAMPTZ(6),
  "failed_tries" INTEGER NOT NULL DEFAULT 0,
  "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "step_up_codes_pkey" PRIMARY KEY ("shop", "id")
);
CREATE INDEX "step_up_codes_shop_recipient_created_at_idx" ON "step_up_codes" ("shop", "recipient", "created_at");
CREATE INDEX "step_up_codes_shop_session_hash_idx" ON "step_up_codes" ("shop", "session_hash");

-- Row-level security as on every table of a shop.
ALTER TABLE "step_up_codes" ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_shop ON "step_up_codes" TO pathway_tenant
  USING (shop = current_setting('pathway.shop', true))
  WITH CHECK (shop = current_setting('pathway.shop', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON "step_up_codes" TO pathway_tenant;
