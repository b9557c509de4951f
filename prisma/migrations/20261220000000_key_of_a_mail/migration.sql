-- An order has four mails, and each was written into two indexes. Nothing names a mail by its id: it is found by its request, kind and
-- occurrence, which are its key from now on (docs/decisions/0157).
ALTER TABLE "notifications" DROP CONSTRAINT "notifications_pkey",
  ADD CONSTRAINT "notifications_pkey" PRIMARY KEY USING INDEX "notifications_shop_request_id_kind_occurrence_key";
