-- What is held about people has an end from the first day: seven years, as long as Australian law asks for health records of
-- adults. A shop that kept everything so far gets the same; nothing of it is that old.
ALTER TABLE "shops" ADD COLUMN "retention_chosen_at" TIMESTAMPTZ(6);
UPDATE "shops" SET "retention_chosen_at" = now() WHERE "retention_months" IS NOT NULL;
UPDATE "shops" SET "retention_months" = 84 WHERE "retention_months" IS NULL;
ALTER TABLE "shops" ALTER COLUMN "retention_months" SET DEFAULT 84;
