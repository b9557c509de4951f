/** The app on one shop. The document stays after uninstalling, so that a reinstall is told from a first install. */
export interface InstallDocument {
  /** The shop's domain. */
  id: string;
  numericId: number;
  installed: boolean;
  scopes: string[];
  installedAt: string;
  uninstalledAt: string | null;
  /** `shop/redact` is sent 48 h after uninstalling unless the app is back by then. */
  redactSent: boolean;
}

/** One issued Admin API token with its refresh token. Secrets are kept as they are: this is a sandbox. */
export interface TokenDocument {
  /** The access token; also the key. */
  id: string;
  shop: string;
  kind: "offline" | "online";
  scopes: string[];
  issuedAtMs: number;
  /** Null: does not expire. */
  expiresAtMs: number | null;
  refreshToken: string | null;
  refreshExpiresAtMs: number | null;
  /** The refresh token that this pair was got with, while it may still be retried; it ends when `refreshToken` is used. */
  recovery?: { refreshToken: string; untilMs: number } | null;
  /** Staff member behind an online token. */
  userId: number | null;
}

/** The app as registered with the platform. */
export interface CredentialsDocument {
  id: "app";
  appId: number;
  apiKey: string;
  /** Newest first. The platform signs with the oldest one until it is revoked, as Shopify does during a rotation. */
  secrets: string[];
  controlToken: string;
  clockOffsetMs: number;
}

export interface CustomerSessionDocument {
  id: string;
  customerId: number;
  createdAtMs: number;
}
