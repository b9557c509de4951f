-- Whether the date of birth that was given last was refused as under the shop's minimum age (docs/decisions/0127). The reason
-- for a person's look may be another one meanwhile.
ALTER TABLE referral_requests ADD COLUMN under_age BOOLEAN NOT NULL DEFAULT false;
UPDATE referral_requests SET under_age = true WHERE review_code = 'under_age';
