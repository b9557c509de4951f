-- One of a Medicare request's two referrals is a part of it (docs/decisions/0032).
ALTER TABLE "referral_requests" RENAME COLUMN "half" TO "missing_part";
