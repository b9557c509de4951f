-- What the patient does before the sample is taken, as the merchant wrote it, sealed.
ALTER TABLE "mappings" ADD COLUMN "preparation_sealed" BYTEA;
