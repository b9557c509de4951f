-- An order writes ten rows of the outbox, each into two indexes that told it apart. The relay takes rows in the order of their
-- ids and removes them by it, so one is enough. Each id is drawn from one sequence for all shops (docs/decisions/0161).
ALTER TABLE "outbox" DROP CONSTRAINT "outbox_pkey", ADD CONSTRAINT "outbox_pkey" PRIMARY KEY ("id");
DROP INDEX "outbox_id_idx";

-- A request is written five times, and each time into this index, which one question reads: how many were opened since a mapping
-- was changed. The rows lie in the order in which they were opened, so a note of each range's times is enough, taken when it is vacuumed.
CREATE INDEX "referral_requests_created_at_idx" ON "referral_requests" USING brin ("created_at");
DROP INDEX "referral_requests_shop_created_at_id_idx";
