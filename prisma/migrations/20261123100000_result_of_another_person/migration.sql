-- A result that names another person than the one it was ordered for is shown to nobody.
ALTER TABLE "results" ADD COLUMN "other_person" BOOLEAN NOT NULL DEFAULT false;
