-- The store's time zone as IANA names it; null until the store has told one that is valid.
ALTER TABLE "shops" ADD COLUMN "time_zone" TEXT;
