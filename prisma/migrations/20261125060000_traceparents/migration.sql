-- The step of a trace that a message, a job or a request came from (W3C Trace Context). NULL where nothing is traced.
ALTER TABLE "inbox" ADD COLUMN "traceparent" TEXT;
ALTER TABLE "outbox" ADD COLUMN "traceparent" TEXT;
ALTER TABLE "referral_requests" ADD COLUMN "traceparent" TEXT;
