-- Every change of a mapping with what was there before, so that it can be undone.
CREATE TABLE "mapping_changes" (
  "shop" TEXT NOT NULL,
  "id" BIGSERIAL NOT NULL,
  "change_id" UUID NOT NULL,
  "environment" TEXT NOT NULL,
  "variant_id" TEXT NOT NULL,
  "product_id" TEXT NOT NULL,
  "at" TIMESTAMPTZ(6) NOT NULL,
  "actor" TEXT NOT NULL,
  "became" TEXT NOT NULL,
  "before_sealed" BYTEA,
  "undoes" UUID,
  CONSTRAINT "mapping_changes_pkey" PRIMARY KEY ("shop", "id")
);

CREATE UNIQUE INDEX "mapping_changes_change" ON "mapping_changes" ("shop", "change_id", "environment", "variant_id");
CREATE INDEX "mapping_changes_place" ON "mapping_changes" ("shop", "environment", "variant_id", "id" DESC);
CREATE INDEX "mapping_changes_at" ON "mapping_changes" ("shop", "at");
