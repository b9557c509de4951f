-- Notes that come with a mapping file wait sealed until the file is applied.
ALTER TABLE "mapping_run_rows" ADD COLUMN "clinical_notes_sealed" BYTEA;
