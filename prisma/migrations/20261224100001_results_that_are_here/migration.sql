-- The tests with results whose data is still here. By their age, whole years of results are erased, and no list passes over them.
CREATE INDEX "requests_with_results" ON "referral_requests" ("shop", "order_paid_at" DESC, "order_id" DESC)
  WHERE "stage" = 'results_ready' AND "redacted_at" IS NULL;
