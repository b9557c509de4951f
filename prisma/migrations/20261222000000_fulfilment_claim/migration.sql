-- Until when a job has the order's fulfilment in Shopify (docs/decisions/0168). Null while nobody has it.
ALTER TABLE "orders" ADD COLUMN "fulfilling_until" TIMESTAMPTZ(6);
