-- What was reported of late: the range in which results are looked for that never came.
CREATE INDEX "referrals_reported" ON "referrals" ("shop", "service_updated_at")
  WHERE "result_uuid" IS NOT NULL AND "deleted_at" IS NULL;
