import { fileURLToPath } from "node:url";
import { defineConfig } from "prisma/config";

// No engine download: migrations run on the WebAssembly schema engine from npm (docs/decisions/0003).
process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= fileURLToPath(
  new URL("./tools/prisma-schema-engine.mjs", import.meta.url),
);
process.env.CHECKPOINT_DISABLE ??= "1";

// Prisma asks within a session, which a pooling proxy does not keep.
const { DATABASE_DIRECT_URL: direct, DATABASE_URL: url } = process.env;

export default defineConfig({
  schema: "prisma/schema.prisma",
  migrations: { path: "prisma/migrations" },
  // Generating asks no database, and needs an address of one all the same: nothing answers at this one.
  datasource: { url: direct || url || "postgresql://nobody@127.0.0.1:1/none" },
});
