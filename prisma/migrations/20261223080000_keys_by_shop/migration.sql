-- No key reaches across shops (docs/decisions/0212). The unique index over the address of events said nothing: an address is 32 random
-- bytes. It is looked up by the index that comes in its place.
ALTER TABLE "sessions" DROP CONSTRAINT "sessions_pkey", ADD CONSTRAINT "sessions_pkey" PRIMARY KEY ("shop", "id");
DROP INDEX "sessions_shop_idx";
ALTER TABLE "tombstones" DROP CONSTRAINT "tombstones_pkey", ADD CONSTRAINT "tombstones_pkey" PRIMARY KEY ("store", "id");
DROP INDEX "connections_address_hash_key";
CREATE INDEX "connections_address_hash_idx" ON "connections"("address_hash");
