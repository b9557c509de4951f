-- A fifth of each page was kept free for changes in place, and a message is never changed in place: its state stands in two indexes.
-- (docs/decisions/0207)
ALTER TABLE "inbox" RESET (fillfactor);
