-- When a form's PDF was replaced by one of which the service told nothing (docs/decisions/0163): nobody was emailed about it. Null
-- for every other, and for those of an earlier version.
ALTER TABLE "documents" ADD COLUMN "drawn_anew_at" TIMESTAMPTZ(6);
