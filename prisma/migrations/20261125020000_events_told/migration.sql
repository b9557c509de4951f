-- What an event of the service spoke of, and what it led to: the log of the last deliveries reads it.
ALTER TABLE "inbox"
  ADD COLUMN "event_type" TEXT,
  ADD COLUMN "about" UUID,
  ADD COLUMN "led_to" TEXT;
