import { integer, text } from "../storage/column.ts";
import type { Database } from "../storage/database.ts";
import { hashSecret } from "../storage/secrets.ts";

export interface RefreshTokenStore {
  save(token: string, clientId: string, expiresAtMs: number): void;
  /** Takes the token out of use and returns its owner; null when unknown, used or expired. */
  consume(token: string, nowMs: number): string | null;
}

/** Refresh tokens, stored as hashes. */
export function createRefreshTokenStore(database: Database): RefreshTokenStore {
  return {
    save(token, clientId, expiresAtMs) {
      database.run(
        "INSERT INTO refresh_tokens (token_hash, client_id, expires_ms) VALUES (?, ?, ?)",
        hashSecret(token),
        clientId,
        expiresAtMs,
      );
    },
    consume(token, nowMs) {
      const hash = hashSecret(token);
      const row = database.get("SELECT * FROM refresh_tokens WHERE token_hash = ?", hash);
      if (!row) return null;
      database.run("DELETE FROM refresh_tokens WHERE token_hash = ?", hash);
      return integer(row, "expires_ms") > nowMs ? text(row, "client_id") : null;
    },
  };
}
