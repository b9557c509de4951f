-- Buyer and patient end their reminders each for themselves, and a unit may go back from one to the other.
ALTER TABLE "referral_requests" ADD COLUMN "patient_reminders_stopped_at" TIMESTAMPTZ(6);
UPDATE "referral_requests"
SET "patient_reminders_stopped_at" = "reminders_stopped_at", "reminders_stopped_at" = NULL
WHERE "holder" = 'patient' AND "reminders_stopped_at" >= "handed_over_at";
