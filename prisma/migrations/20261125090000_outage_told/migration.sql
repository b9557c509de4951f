-- Since when the outage lasts that the merchant was emailed about; null once its end was told.
ALTER TABLE "connections" ADD COLUMN "outage_told_since" TIMESTAMPTZ(6);
