-- How many units of a line were sold while their product was no test, and since when they were taken for that, so that mapping the
-- product later orders none of them by itself (docs/decisions/0118). Null where there are none, and for lines that an earlier version
-- read: of those that are no test, all units count.
ALTER TABLE "order_lines" ADD COLUMN "ignored_units" INTEGER, ADD COLUMN "ignored_at" TIMESTAMPTZ(6);
