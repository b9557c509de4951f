-- Where patients look for a collection centre: a name and a page of the laboratory's, or neither.
ALTER TABLE "shops" ADD COLUMN "finder_name" TEXT, ADD COLUMN "finder_url" TEXT,
  ADD CONSTRAINT "shops_finder_whole" CHECK (("finder_name" IS NULL) = ("finder_url" IS NULL));
