import { z } from "zod";
import { serviceReadySchema, storeReadySchema } from "./ready-lines.ts";

const pid = z.number().int().positive();

/** The answer to GET {supervisor_url}/processes; `database` is null when the database is not ours. */
export const processesSchema = z.object({
  app: pid,
  workers: z.array(pid),
  /** The processes that only serve. */
  webs: z.array(pid),
  service: pid,
  store: pid,
  database: pid.nullable(),
});
export type Processes = z.infer<typeof processesSchema>;

/** The meaning to which a variant was mapped; empty for an unmapped or ignored one. */
export const mapsToSchema = z.object({
  bundleId: z.string().optional(),
  tests: z.array(z.string()).optional(),
  medicareTests: z.array(z.string()).optional(),
});
export type MapsTo = z.infer<typeof mapsToSchema>;

export const mappedProductSchema = z.object({
  variantId: z.string(),
  title: z.string(),
  mapsTo: mapsToSchema,
  /** Ignored is a decision ("not a test"); unmapped is none. */
  state: z.enum(["mapped", "unmapped", "ignored"]),
});
export type MappedProduct = z.infer<typeof mappedProductSchema>;

/** The one line of `--headless`. */
export const worldLineSchema = z.object({
  app_url: z.url(),
  /** Each process that serves, by itself: the app's own first. One of them is at `app_url` where it is alone. */
  web_urls: z.array(z.url()),
  service: serviceReadySchema,
  store: storeReadySchema,
  /** What web logs in with. */
  database_url: z.string(),
  /** What the owner of the database logs in with; no process of the app does. */
  owner_database_url: z.string(),
  products: z.array(mappedProductSchema),
  processes: processesSchema,
  supervisor_url: z.url(),
  /** Where each process says whether it lives and is ready (`/livez`, `/readyz`). */
  admin_urls: z.object({ app: z.url(), workers: z.array(z.url()) }),
  /** The folder of the anchors that `npm run audit verify` compares the access logs with. */
  audit_dir: z.string(),
});
export type WorldLine = z.infer<typeof worldLineSchema>;
