-- PostgreSQL keeps an order once for all its lines where the index tells them apart by nothing else: a tenth of the room
-- (docs/decisions/0124). The lines of an order are few, and sorted when they are read.
CREATE INDEX "timeline_shop_order_id_idx" ON "timeline" ("shop", "order_id");
DROP INDEX "timeline_shop_order_id_id_idx";
