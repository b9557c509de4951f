-- A PDF may lie in a store of objects: then `body_sealed` is the sealed key of that object, which opens nothing else.
ALTER TABLE "document_bodies" ADD COLUMN "store" TEXT, ADD COLUMN "object" UUID,
  ADD COLUMN "lost_at" TIMESTAMPTZ(6);
CREATE INDEX "document_bodies_object" ON "document_bodies" ("shop", "object") WHERE "object" IS NOT NULL;
-- Each look asks whether anything lies elsewhere than it is wanted: mostly nothing does.
CREATE INDEX "document_bodies_shop_store_idx" ON "document_bodies" ("shop", "store");
