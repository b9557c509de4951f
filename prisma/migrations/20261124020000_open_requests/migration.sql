-- Only open states are ever looked for (modules/referrals/postgres/stalled-work.ts): most requests are long created, and
-- stand in no index of states any more.
DROP INDEX "referral_requests_shop_state_idx";
CREATE INDEX "requests_open" ON "referral_requests" ("shop", "environment")
  WHERE "state" IN ('ready', 'sending', 'ambiguous');
