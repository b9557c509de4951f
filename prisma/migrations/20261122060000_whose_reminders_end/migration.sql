-- A link ends the reminders of the one to whom it was mailed, whoever has the unit by then. Those that are not revoked
-- were mailed to whoever has it now.
UPDATE "patient_links" l
SET "kind" = CASE WHEN r."holder" = 'buyer' THEN 'buyer_stop' ELSE 'patient_stop' END
FROM "referral_requests" r
WHERE l."kind" = 'stop' AND r."shop" = l."shop" AND r."id" = l."request_id";
