import { integer, text } from "../storage/column.ts";
import type { Database } from "../storage/database.ts";
import { hashSecret, randomSecret, sameText } from "../storage/secrets.ts";

/** Where a referral made with a credential comes from (interface §2.1 `origin`). */
export type CredentialOrigin = "STORE_INTEGRATION" | "API";

/** An API credential of an organisation. */
export interface Credential {
  clientId: string;
  organisationId: number;
  /** The account that enabled API access. */
  accountId: number;
  origin: CredentialOrigin;
  createdAtMs: number;
}

export interface NewCredential {
  organisationId: number;
  accountId: number;
  origin: CredentialOrigin;
  nowMs: number;
}

export interface CredentialStore {
  create(input: NewCredential): { clientId: string; clientSecret: string };
  find(clientId: string): Credential | null;
  list(organisationId: number): Credential[];
  secretIsRight(clientId: string, secret: string): boolean;
  remove(organisationId: number, clientId: string): boolean;
}

/** API credentials on the given database; secrets are stored as hashes only. */
export function createCredentialStore(database: Database): CredentialStore {
  const fromRow = (row: ReturnType<Database["all"]>[number]): Credential => ({
    clientId: text(row, "client_id"),
    organisationId: integer(row, "organisation_id"),
    accountId: integer(row, "account_id"),
    origin: text(row, "origin") === "STORE_INTEGRATION" ? "STORE_INTEGRATION" : "API",
    createdAtMs: integer(row, "created_ms"),
  });
  return {
    create({ organisationId, accountId, origin, nowMs }) {
      const clientId = randomSecret("client").slice(0, 31);
      const clientSecret = randomSecret("secret");
      database.run(
        "INSERT INTO api_keys (client_id, organisation_id, account_id, secret_hash, origin, created_ms) VALUES (?, ?, ?, ?, ?, ?)",
        clientId,
        organisationId,
        accountId,
        hashSecret(clientSecret),
        origin,
        nowMs,
      );
      return { clientId, clientSecret };
    },
    find(clientId) {
      const row = database.get("SELECT * FROM api_keys WHERE client_id = ?", clientId);
      return row ? fromRow(row) : null;
    },
    list: (organisationId) =>
      database
        .all("SELECT * FROM api_keys WHERE organisation_id = ? ORDER BY created_ms", organisationId)
        .map(fromRow),
    secretIsRight(clientId, secret) {
      const row = database.get("SELECT secret_hash FROM api_keys WHERE client_id = ?", clientId);
      return row !== undefined && sameText(text(row, "secret_hash"), hashSecret(secret));
    },
    remove: (organisationId, clientId) =>
      database.run(
        "DELETE FROM api_keys WHERE organisation_id = ? AND client_id = ?",
        organisationId,
        clientId,
      ) === 1,
  };
}
