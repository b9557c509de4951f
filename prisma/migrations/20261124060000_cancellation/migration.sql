-- "Not wanted any more" was two flags, "unwanted" and "withdrawn_by", whose meaning depended on the state
-- (docs/decisions/0031). It is one thing now: who asked, and how far it has come.
ALTER TABLE "referral_requests"
  ADD COLUMN "cancellation_requested_by" TEXT,
  ADD COLUMN "cancellation_status" TEXT;
UPDATE "referral_requests" SET
  "cancellation_requested_by" = coalesce("withdrawn_by", 'store'),
  "cancellation_status" = CASE
    WHEN "state" = 'cancelled' THEN 'done'
    WHEN "withdrawn_by" IS NULL THEN 'requested'
    ELSE 'confirmed' END
  WHERE "withdrawn_by" IS NOT NULL OR ("unwanted" AND "state" <> 'cancelled');
ALTER TABLE "referral_requests"
  ADD CONSTRAINT "requests_cancellation" CHECK (
    ("cancellation_requested_by" IS NULL) = ("cancellation_status" IS NULL)
    AND "cancellation_requested_by" IN ('store', 'staff')
    AND "cancellation_status" IN ('requested', 'confirmed', 'done')),
  DROP COLUMN "unwanted",
  DROP COLUMN "withdrawn_by";
