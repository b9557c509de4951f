-- What was taken away of late: the range in which PDFs are looked for that were to follow.
CREATE INDEX "documents_taken_away" ON "documents" ("shop", "replaced_at") WHERE "replaced_at" IS NOT NULL;
