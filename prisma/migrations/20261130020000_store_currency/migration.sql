-- The currency of the store's prices, as Shopify names it; null until it was told.
ALTER TABLE "shops" ADD COLUMN "currency" TEXT;
