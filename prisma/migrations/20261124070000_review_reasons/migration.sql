-- Why a person is needed was one text, "code:detail". A code and its detail have a column each now (docs/decisions/0031).
ALTER TABLE "referral_requests" RENAME COLUMN "attention" TO "review_code";
ALTER TABLE "referral_requests" RENAME COLUMN "reason" TO "reason_code";
ALTER TABLE "referral_requests" RENAME COLUMN "handled_reason" TO "handled_code";
ALTER TABLE "referral_requests" RENAME COLUMN "scan_from" TO "recovery_lower_bound";
ALTER TABLE "referral_requests"
  ADD COLUMN "review_detail" TEXT,
  ADD COLUMN "reason_detail" TEXT,
  ADD COLUMN "handled_detail" TEXT;
UPDATE "referral_requests" SET
  "review_code" = split_part("review_code", ':', 1),
  "review_detail" = nullif(substring("review_code" from ':(.*)$'), ''),
  "reason_code" = split_part("reason_code", ':', 1),
  "reason_detail" = nullif(substring("reason_code" from ':(.*)$'), ''),
  "handled_code" = split_part("handled_code", ':', 1),
  "handled_detail" = nullif(substring("handled_code" from ':(.*)$'), '')
  WHERE "review_code" LIKE '%:%' OR "reason_code" LIKE '%:%' OR "handled_code" LIKE '%:%';
ALTER TABLE "referral_requests" ADD CONSTRAINT "requests_reason_details" CHECK (
  ("review_detail" IS NULL OR "review_code" IS NOT NULL)
  AND ("reason_detail" IS NULL OR "reason_code" IS NOT NULL)
  AND ("handled_detail" IS NULL OR "handled_code" IS NOT NULL));

ALTER TABLE "orders" RENAME COLUMN "attention" TO "review_code";
ALTER TABLE "orders" RENAME COLUMN "reason" TO "reason_code";
ALTER TABLE "orders" RENAME COLUMN "handled_reason" TO "handled_code";
