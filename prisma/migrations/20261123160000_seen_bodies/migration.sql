-- A webhook's signature covers its body only. A body that came under one topic is not believed under another one, nor
-- from another shop (docs/decisions/0023).
ALTER TABLE "inbox" ADD COLUMN "body_digest" BYTEA;
CREATE INDEX "inbox_body_digest" ON "inbox" ("body_digest") WHERE "body_digest" IS NOT NULL;

-- Counted on the home page.
CREATE INDEX "inbox_refused" ON "inbox" ("shop", "received_at") WHERE "state" IN ('refused', 'unreadable');

-- Looks across shops and answers yes or no. Messages that were themselves refused do not count: whoever sends a body
-- first under a wrong topic must not be able to have the genuine message refused.
CREATE FUNCTION body_came_otherwise(digest bytea, own_shop text, own_topic text) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public AS $$
  SELECT EXISTS (
    SELECT FROM inbox
    WHERE body_digest = digest AND (shop, topic) <> (own_shop, own_topic)
      AND state NOT IN ('refused', 'unreadable'))
$$;
REVOKE ALL ON FUNCTION body_came_otherwise(bytea, text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION body_came_otherwise(bytea, text, text) TO pathway_tenant;

-- When Shopify refused to renew the shop's session: the proof that an uninstall needs when there is no token left.
ALTER TABLE "shops" ADD COLUMN "access_refused_at" TIMESTAMPTZ(6);
