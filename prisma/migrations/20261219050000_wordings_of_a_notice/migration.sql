-- Each consent kept the whole wording of the notice: 1.6 KB, for all who agreed to it the same. A wording now stands once for a
-- shop, under its SHA-256, and outlives those who agreed to it; nobody changes it or takes it away but with the whole shop
-- (docs/decisions/0161). Consents that have their wording in their own row keep it.
CREATE TABLE "notice_wordings" (
  "shop" TEXT NOT NULL,
  "digest" BYTEA NOT NULL,
  "wording" TEXT[] NOT NULL,
  CONSTRAINT "notice_wordings_pkey" PRIMARY KEY ("shop", "digest")
);
ALTER TABLE "consents" ADD COLUMN "wording_digest" BYTEA;
