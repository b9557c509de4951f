-- How far back the service's list is read for a lost referral, by the service's clock and not by ours.
ALTER TABLE "referral_requests" ADD COLUMN "scan_from" TIMESTAMPTZ(6);
UPDATE "referral_requests" SET "scan_from" = "attempt_started_at" WHERE "attempt_started_at" IS NOT NULL;
