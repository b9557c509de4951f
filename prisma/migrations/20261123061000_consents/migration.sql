-- Each consent with the wording that was shown. `wording` is a list: the notice's paragraphs, then the sentence that
-- was ticked.
CREATE TABLE "consents" (
  "shop" TEXT NOT NULL,
  "id" UUID NOT NULL DEFAULT gen_random_uuid(),
  "request_id" UUID NOT NULL,
  "given_by" TEXT NOT NULL,
  "version" INTEGER NOT NULL,
  "wording" TEXT[] NOT NULL,
  "given_at" TIMESTAMPTZ(6) NOT NULL,
  CONSTRAINT "consents_pkey" PRIMARY KEY ("shop", "id")
);
CREATE INDEX "consents_shop_request_id_idx" ON "consents" ("shop", "request_id");

ALTER TABLE "consents" ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_shop ON "consents" TO pathway_tenant
  USING (shop = current_setting('pathway.shop', true))
  WITH CHECK (shop = current_setting('pathway.shop', true));
-- A consent that was given is not changed afterwards.
GRANT SELECT, INSERT, DELETE ON "consents" TO pathway_tenant;

-- Consents given before had the first wording.
INSERT INTO "consents" ("shop", "request_id", "given_by", "version", "wording", "given_at")
SELECT "shop", "id", "holder", 1, ARRAY[
  'We pass these details to the pathology service, which needs them to prepare the referral form and to report results. Shop staff cannot see these details or the results.',
  'The patient agrees that these details are used to order this test and to return its results'
], "consent_at"
FROM "referral_requests" WHERE "consent_at" IS NOT NULL;
