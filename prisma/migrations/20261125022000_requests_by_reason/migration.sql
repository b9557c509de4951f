-- What needs attention for one reason is a walk of its own.
CREATE INDEX "requests_by_reason" ON "referral_requests" ("shop", "reason_code", "order_paid_at" DESC, "order_id" DESC)
  WHERE "stage" = 'attention';
