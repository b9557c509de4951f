-- Whether a referral names another person than the one it was ordered for. Null: no version has compared it yet.
ALTER TABLE "referrals" ADD COLUMN "other_person" BOOLEAN;
