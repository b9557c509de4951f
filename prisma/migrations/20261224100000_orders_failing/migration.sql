-- Since when the service takes no orders, whatever it answers to other calls. Former versions leave it as it is: what they send meanwhile
-- neither begins nor ends it.
ALTER TABLE "connections" ADD COLUMN "orders_failing_since" TIMESTAMPTZ(6);
