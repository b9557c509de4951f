import { fileURLToPath } from "node:url";
import { defineConfig } from "prisma/config";

// No engine download: migrations run on the WebAssembly schema engine from npm (docs/decisions/0003).
process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= fileURLToPath(
  new URL("./tools/prisma-schema-engine.mjs", import.meta.url),
);
process.env.CHECKPOINT_DISABLE ??= "1";

export default defineConfig({
  schema: "prisma/schema.prisma",
  migrations: { path: "prisma/migrations" },
  datasource: { url: process.env.DATABASE_URL ?? "postgresql://postgres@127.0.0.1:5432/pathway" },
});
