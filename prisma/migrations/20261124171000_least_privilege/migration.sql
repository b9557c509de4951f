-- Secrets by which a process proves for which shop it speaks (docs/decisions/0050): only the owner reads them. "context" is
-- the database's own; the others belong to PATHWAY_TENANT_KEYS. Stored as the two pads of HMAC-SHA-256.
CREATE TABLE "tenant_keys" (
    "id" TEXT NOT NULL,
    "inner_pad" BYTEA NOT NULL,
    "outer_pad" BYTEA NOT NULL,
    CONSTRAINT "tenant_keys_pkey" PRIMARY KEY ("id")
);

-- What each role may do, as `npm run migrate` left it: a start compares it with what is.
CREATE TABLE "access_grants" (
    "role" TEXT NOT NULL,
    "table_name" TEXT NOT NULL,
    "privilege" TEXT NOT NULL,
    CONSTRAINT "access_grants_pkey" PRIMARY KEY ("role", "table_name", "privilege")
);
