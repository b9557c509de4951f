-- When the last event came that was the service's own beyond doubt: signed as agreed, and readable.
ALTER TABLE "connections" ADD COLUMN "signed_event_at" TIMESTAMPTZ(6);
UPDATE "connections" SET "signed_event_at" = "last_event_at" WHERE "signing_scheme" <> 'none';
