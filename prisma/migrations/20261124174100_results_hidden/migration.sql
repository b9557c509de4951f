-- Whoever holds a unit withdrew their consent after there were results: nobody sees them until they show them again.
ALTER TABLE "referral_requests" ADD COLUMN "results_hidden_at" TIMESTAMPTZ(6);
