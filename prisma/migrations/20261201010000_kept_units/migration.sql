-- Whether staff let the patient keep a unit that the store took back (docs/decisions/0128). An earlier version knew it by the
-- reason that was marked as handled.
ALTER TABLE referral_requests ADD COLUMN kept BOOLEAN NOT NULL DEFAULT false;
UPDATE referral_requests SET kept = true
  WHERE cancellation_status = 'requested' AND handled_code IN ('refunded_after_sending', 'refunded_after_results');
