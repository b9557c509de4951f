-- Shopify has two kinds of customer accounts; which one a shop has decides where its customers find their tests.
-- New stores can only have the new ones, and each shop's is read again with its next order.
ALTER TABLE shops ADD COLUMN customer_accounts TEXT NOT NULL DEFAULT 'new';
