import { join } from "node:path";
import { z } from "zod";
import { connectDrivers } from "../../sandbox/world/drivers/connect-drivers.ts";
import {
  readReadyLine,
  serviceReadySchema,
  storeReadySchema,
} from "../../sandbox/world/ready-lines.ts";
import { mappedProductSchema } from "../../sandbox/world/world-line.ts";
import { startHeadless } from "../../test/harness/headless.ts";
import { connectSql } from "../../test/harness/sql.ts";
import type { StartOrderWorld } from "../engine/order-world.ts";

/** The line that every version prints of its world. The former one has one login for the database, which is its owner's. */
const line = z.looseObject({
  app_url: z.url(),
  service: serviceReadySchema,
  store: storeReadySchema,
  database_url: z.string(),
  owner_database_url: z.string().optional(),
  products: z.array(mappedProductSchema),
  supervisor_url: z.url(),
});

const pid = z.number().int().positive();
const processes = z.looseObject({
  app: pid,
  workers: z.array(pid),
  database: pid.nullable(),
});

/** How each version calls the time between two comparisons with the service's lists, which would add to an order. */
const QUIET = {
  PATHWAY_SYNC_INTERVAL_MS: "3600000",
  PATHWAY_TAILER_INTERVAL_MS: "3600000",
  LOG_LEVEL: "warn",
};

/** Starts worlds of the version whose checkout is in a folder, driven by nothing but the contracts in docs/sandbox.md. */
export function startVersion(folder: string): StartOrderWorld {
  return async ({ workers, databaseUrl, env } = {}) => {
    const world = await startHeadless({
      folder,
      args: [
        ...(workers === undefined ? [] : ["--workers", String(workers)]),
        ...(databaseUrl === undefined ? [] : ["--database-url", databaseUrl]),
      ],
      env: { ...QUIET, NODE_COMPILE_CACHE: join(folder, ".cache/compiled"), ...env },
    });
    const { app_url: appUrl, ...ready } = readReadyLine("The world", line, world.line);
    const ownerUrl = ready.owner_database_url ?? ready.database_url;
    const sql = connectSql(ownerUrl);
    return {
      ...connectDrivers({ appUrl, service: ready.service, store: ready.store }),
      sql,
      line: { products: ready.products, owner_database_url: ownerUrl },
      async processes() {
        const answer = await fetch(`${ready.supervisor_url}/processes`);
        return processes.parse(await answer.json());
      },
      async [Symbol.asyncDispose]() {
        await sql.close();
        await world.stop();
      },
    };
  };
}
