-- Whether the service listed the referral as deleted: of a line that was refunded in part, such a unit is taken up last, and nobody needs
-- to delete it (docs/decisions/0011).
ALTER TABLE unclaimed_referrals ADD COLUMN deleted BOOLEAN NOT NULL DEFAULT false;
