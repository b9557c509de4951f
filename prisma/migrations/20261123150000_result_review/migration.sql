-- Holding a result needs a named person who reads it, and an end (docs/decisions/0025).
ALTER TABLE "shops"
  ADD COLUMN "contact_email" TEXT,
  ADD COLUMN "reviewer_name" TEXT,
  ADD COLUMN "reviewer_phone" TEXT,
  ADD COLUMN "reviewer_email" TEXT,
  ADD COLUMN "clinical_contact_name" TEXT,
  ADD COLUMN "clinical_contact_phone" TEXT,
  ADD COLUMN "release_after_hours" INTEGER NOT NULL DEFAULT 12,
  ADD COLUMN "clinical_texts_version" TEXT,
  ADD COLUMN "clinical_texts_accepted_at" TIMESTAMPTZ(6),
  ADD COLUMN "clinical_texts_accepted_by" TEXT,
  ADD CONSTRAINT "shops_release_after_hours" CHECK ("release_after_hours" BETWEEN 1 AND 24);

-- New shops hold critical results and sensitive tests once they name a reviewer. Shops that exist keep their policy.
ALTER TABLE "shops" ALTER COLUMN "release_policy" SET DEFAULT 'hold_critical';

ALTER TABLE "results"
  ADD COLUMN "held_at" TIMESTAMPTZ(6),
  ADD COLUMN "hold_alerts" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "release_sealed" BYTEA;

-- A held result is reviewed, never waved away: earlier "handled" marks end.
UPDATE "referral_requests" SET "handled_reason" = NULL WHERE "handled_reason" = 'results_held';
