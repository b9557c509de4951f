import { z } from "zod";
import type { Database } from "../storage/database.ts";

export const signatureSchemes = [
  "standard-webhooks",
  "hmac-hex",
  "hmac-base64",
  "shared-secret",
  "none",
] as const;

export const payloadShapes = ["flat", "nested", "resource", "header"] as const;

const stored = z.object({
  url: z.string(),
  secret: z.string(),
  /** The secret before this one, while receivers change theirs; null otherwise. */
  previousSecret: z.string().nullable(),
  scheme: z.enum(signatureSchemes),
  header: z.string().nullable(),
  shape: z.enum(payloadShapes),
});

/** An organisation's webhook endpoint. */
export type Webhook = z.infer<typeof stored>;

export interface WebhookStore {
  find(organisationId: number): Webhook | null;
  save(organisationId: number, webhook: Webhook): void;
  remove(organisationId: number): void;
}

/** Webhook endpoints on the given database; an organisation has one or none. */
export function createWebhookStore(database: Database): WebhookStore {
  return {
    find(organisationId) {
      const row = database.get(
        `SELECT *, previous_secret AS "previousSecret" FROM webhooks WHERE organisation_id = ?`,
        organisationId,
      );
      return row ? stored.parse(row) : null;
    },
    save(organisationId, webhook) {
      database.run(
        `INSERT INTO webhooks (organisation_id, url, secret, scheme, header, shape, previous_secret)
         VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (organisation_id) DO UPDATE
         SET url = excluded.url, secret = excluded.secret, scheme = excluded.scheme,
             header = excluded.header, shape = excluded.shape,
             previous_secret = excluded.previous_secret`,
        organisationId,
        webhook.url,
        webhook.secret,
        webhook.scheme,
        webhook.header,
        webhook.shape,
        webhook.previousSecret,
      );
    },
    remove(organisationId) {
      database.run("DELETE FROM webhooks WHERE organisation_id = ?", organisationId);
    },
  };
}
