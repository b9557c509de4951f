-- The day on which a result came first, which its summary counts. Null for those that were there before this column.
ALTER TABLE "results" ADD COLUMN "received_at" TIMESTAMPTZ(6);
ALTER TABLE "results" ALTER COLUMN "received_at" SET DEFAULT CURRENT_TIMESTAMP;
CREATE INDEX "results_shop_received_at_idx" ON "results" ("shop", "received_at");
-- The recipient for whom an alert was noted: their address may change while it waits.
ALTER TABLE "alert_mails" ADD COLUMN "recipient_id" UUID;
