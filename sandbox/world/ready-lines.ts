import { z } from "zod";

/** The line of `sandbox/referral-service/main.ts` when it is ready; unknown fields are kept. */
export const serviceReadySchema = z.looseObject({
  environment: z.enum(["staging", "production"]),
  base_url: z.url(),
  auth_url: z.url(),
  app_url: z.url(),
  client_id: z.string().min(1),
  client_secret: z.string().min(1),
  console_token: z.string().min(1),
});
export type ServiceReady = z.infer<typeof serviceReadySchema>;

/** The line of `sandbox/store/main.ts` when it is ready; unknown fields are kept. */
export const storeReadySchema = z.looseObject({
  store_url: z.url(),
  admin_url: z.url(),
  api_url: z.url(),
  control_url: z.url(),
  control_token: z.string().min(1),
  shop: z.string().endsWith(".myshopify.com"),
  api_key: z.string().min(1),
  api_secret: z.string().min(1),
  /** Where the store takes mail for its inbox. */
  smtp_url: z.url().optional(),
});
export type StoreReady = z.infer<typeof storeReadySchema>;

/** The line of `tools/embedded-postgres.ts`; `pid` is the postmaster's. */
export const databaseReadySchema = z.object({
  database_url: z.string().min(1),
  pid: z.number().int().positive(),
});

/** Reads a ready line. Throws an `Error` that names the program when the line is not as agreed. */
export function readReadyLine<T>(program: string, schema: z.ZodType<T>, line: string): T {
  let parsed: unknown;
  try {
    parsed = JSON.parse(line);
  } catch {
    throw new Error(`${program} said "${line.slice(0, 200)}" where its JSON line was expected`);
  }
  const read = schema.safeParse(parsed);
  if (!read.success) throw new Error(`${program}'s ready line: ${z.prettifyError(read.error)}`);
  return read.data;
}
