-- Why somebody has to see to a result stands beside every other reason (docs/decisions/0142).
ALTER TABLE referral_requests ADD COLUMN result_code TEXT;
