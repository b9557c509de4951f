-- What the calls to the service have come to lately: the merchant is told the truth during an outage.
ALTER TABLE "connections"
  ADD COLUMN "answered_at" TIMESTAMPTZ(6),
  ADD COLUMN "failing_since" TIMESTAMPTZ(6),
  ADD COLUMN "failure_code" TEXT;
