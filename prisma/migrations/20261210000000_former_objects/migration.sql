-- Objects that a document was moved away from. A backup of before the move points at them (docs/decisions/0103).
CREATE TABLE "former_objects" (
  "shop" TEXT NOT NULL,
  "object" UUID NOT NULL,
  "left_at" TIMESTAMPTZ(6) NOT NULL,
  CONSTRAINT "former_objects_pkey" PRIMARY KEY ("shop", "object")
);
