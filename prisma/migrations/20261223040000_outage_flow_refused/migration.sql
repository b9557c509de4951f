-- When Shopify last refused for good to start the merchant's workflows of an outage; null once it started some, and while it never refused.
ALTER TABLE "connections" ADD COLUMN "flow_refused_at" TIMESTAMPTZ(6);
