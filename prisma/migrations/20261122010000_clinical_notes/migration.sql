-- What the ordering practitioner wants on every Medicare form of a product, sealed.
ALTER TABLE "mappings" ADD COLUMN "clinical_notes_sealed" BYTEA;
