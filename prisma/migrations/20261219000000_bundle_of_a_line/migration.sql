-- The bundle of Shopify's of which a line is a part, so that saving what the bundle means has its waiting orders read again
-- (docs/decisions/0159). Null for lines that an earlier version read.
ALTER TABLE "order_lines" ADD COLUMN "bundle_variant_id" TEXT, ADD COLUMN "bundle_product_id" TEXT;
