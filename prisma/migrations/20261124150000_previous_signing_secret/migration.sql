-- While a signing secret changes, events that are signed with the one before it still count.
ALTER TABLE "connections"
  ADD COLUMN "previous_signing_secret_sealed" BYTEA,
  ADD COLUMN "previous_secret_until" TIMESTAMPTZ(6);
