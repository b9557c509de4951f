-- Orders by their payment, and the orders that a word finds, are told apart by the moment of payment nearly always. The few of one moment are
-- put in order when they are read. An order's id, which is longer than all that is sought by, stood in eight entries of each order, and
-- entries in falling order of time left half of each page empty. (docs/decisions/0166)
CREATE INDEX "orders_shop_paid_at_idx" ON "orders" ("shop", "paid_at");
DROP INDEX "orders_shop_paid_at_order_id_idx";
CREATE INDEX "orders_order_mode" ON "orders" ("shop", "order_mode", "paid_at");
DROP INDEX "orders_lane";
CREATE INDEX "order_words_shop_word_paid_at_idx" ON "order_words" ("shop", "word", "paid_at");
DROP INDEX "order_words_shop_word_paid_at_order_id_idx";
