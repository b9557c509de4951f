-- Entries of the service's lists that could not be read: the uuid and the field that did not fit, never the content.
CREATE TABLE "unreadable_entries" (
  "shop" TEXT NOT NULL,
  "environment" TEXT NOT NULL,
  "kind" TEXT NOT NULL,
  "uuid" TEXT NOT NULL,
  "field" TEXT NOT NULL,
  "first_seen_at" TIMESTAMPTZ(6) NOT NULL,
  "last_seen_at" TIMESTAMPTZ(6) NOT NULL,
  CONSTRAINT "unreadable_entries_pkey" PRIMARY KEY ("shop", "environment", "kind", "uuid")
);
ALTER TABLE "unreadable_entries" ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_shop ON "unreadable_entries" TO pathway_tenant
  USING (shop = current_setting('pathway.shop', true))
  WITH CHECK (shop = current_setting('pathway.shop', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON "unreadable_entries" TO pathway_tenant;
