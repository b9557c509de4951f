-- When a result was last corrected after its patient could see it: a value that was shown reads otherwise, or is gone.
ALTER TABLE "results" ADD COLUMN "corrected_at" TIMESTAMPTZ(6);
