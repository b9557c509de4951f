-- Why a person has to look at an order: all reasons that stand, the first of them first, and those among them that somebody has
-- dealt with. `review_code`, `handled_code` and `reason_code` stay what they were: the one that is shown.
ALTER TABLE "orders" ADD COLUMN "standing_codes" TEXT[] NOT NULL DEFAULT '{}';
ALTER TABLE "orders" ADD COLUMN "handled_codes" TEXT[] NOT NULL DEFAULT '{}';
