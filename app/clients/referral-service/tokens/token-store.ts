/** Tokens as kept between processes. Secrets: encrypted at rest, never logged. */
export interface StoredTokens {
  accessToken: string;
  refreshToken: string | null;
  /** ISO 8601. */
  obtainedAt: string;
  /** ISO 8601. */
  expiresAt: string;
  /** ISO 8601; null when the service did not say. */
  refreshExpiresAt: string | null;
  /** Client id they were given to: tokens of replaced credentials are not used. */
  clientId: string;
}

/** Where one connection keeps its tokens. */
export interface TokenStore {
  read(): Promise<StoredTokens | null>;
  write(tokens: StoredTokens): Promise<void>;
}

/** Runs `work` while nobody else, in any process, holds the lock of the same connection. */
export type Lock = <T>(work: () => Promise<T>) => Promise<T>;
