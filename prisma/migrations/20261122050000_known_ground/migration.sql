-- The service lists referrals by their creation: what is stored of the same span of time is one range of this.
CREATE INDEX "referrals_shop_service_created_at_idx" ON "referrals" ("shop", "service_created_at");

-- Where a walk through the service's lists may end: its first entry.
CREATE INDEX "referrals_open" ON "referrals" ("shop", "environment", "service_created_at")
  WHERE "status" NOT IN ('COMPLETE', 'REFUNDED', 'TRANSFERRED', 'BILLING_FAILED') AND "deleted_at" IS NULL;
CREATE INDEX "results_unfinished" ON "results" ("shop", "referral_uuid") WHERE "partial" OR "in_review";
