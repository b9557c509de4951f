/**
 * The tables. `seq` orders lists and is never reused, which keeps keyset pages stable; documents
 * that are only ever read whole are JSON text.
 */
export const schema = `
CREATE TABLE IF NOT EXISTS settings (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS accounts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  email TEXT NOT NULL UNIQUE COLLATE NOCASE,
  password_hash TEXT NOT NULL,
  first_name TEXT, last_name TEXT, practitioner_type TEXT,
  verified INTEGER NOT NULL DEFAULT 0,
  organisation_id INTEGER REFERENCES organisations (id)
);
CREATE TABLE IF NOT EXISTS account_tokens (
  token_hash TEXT PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS organisations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  uuid TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  billing TEXT NOT NULL DEFAULT 'none',
  hold_results INTEGER NOT NULL DEFAULT 0,
  require_verification INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE IF NOT EXISTS api_keys (
  client_id TEXT PRIMARY KEY,
  organisation_id INTEGER NOT NULL REFERENCES organisations (id),
  account_id INTEGER NOT NULL,
  secret_hash TEXT NOT NULL,
  origin TEXT NOT NULL,
  created_ms INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS refresh_tokens (
  token_hash TEXT PRIMARY KEY,
  client_id TEXT NOT NULL,
  expires_ms INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS provider_numbers (
  organisation_id INTEGER NOT NULL REFERENCES organisations (id),
  provider_number TEXT NOT NULL,
  name TEXT NOT NULL,
  address TEXT NOT NULL,
  signature INTEGER NOT NULL,
  routing INTEGER NOT NULL,
  PRIMARY KEY (organisation_id, provider_number)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS webhooks (
  organisation_id INTEGER PRIMARY KEY REFERENCES organisations (id),
  url TEXT NOT NULL,
  secret TEXT NOT NULL,
  scheme TEXT NOT NULL,
  header TEXT,
  shape TEXT NOT NULL,
  previous_secret TEXT
);

CREATE TABLE IF NOT EXISTS referrals (
  seq INTEGER PRIMARY KEY,
  uuid TEXT NOT NULL UNIQUE,
  organisation_id INTEGER NOT NULL,
  status TEXT NOT NULL,
  reference_number TEXT NOT NULL,
  created_ms INTEGER NOT NULL,
  updated_ms INTEGER NOT NULL,
  deleted_ms INTEGER,
  email_sent_ms INTEGER,
  email_group TEXT,
  issue_number INTEGER NOT NULL DEFAULT 0,
  results_uuid TEXT,
  document TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS referrals_by_organisation ON referrals (organisation_id, seq);
CREATE INDEX IF NOT EXISTS referrals_by_reference_number ON referrals (organisation_id, reference_number);
CREATE INDEX IF NOT EXISTS referrals_by_email_group ON referrals (email_group) WHERE email_group IS NOT NULL;
CREATE INDEX IF NOT EXISTS referrals_awaiting_form ON referrals (status)
  WHERE status IN ('CREATED', 'SCHEDULED_REISSUE');

CREATE TABLE IF NOT EXISTS results (
  seq INTEGER PRIMARY KEY,
  uuid TEXT NOT NULL UNIQUE,
  organisation_id INTEGER NOT NULL,
  referral_uuid TEXT NOT NULL UNIQUE,
  status TEXT NOT NULL,
  seed TEXT NOT NULL,
  created_ms INTEGER NOT NULL,
  updated_ms INTEGER NOT NULL,
  result_ms INTEGER NOT NULL,
  reviewed_by TEXT,
  version INTEGER NOT NULL,
  arrived_status TEXT NOT NULL,
  arrived TEXT NOT NULL,
  released TEXT
);
CREATE INDEX IF NOT EXISTS results_by_organisation ON results (organisation_id, seq);

CREATE TABLE IF NOT EXISTS deliveries (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  organisation_id INTEGER NOT NULL,
  event_id TEXT NOT NULL,
  event TEXT NOT NULL,
  referral_uuid TEXT,
  result_uuid TEXT,
  created_ms INTEGER NOT NULL,
  state TEXT NOT NULL,
  attempts TEXT NOT NULL DEFAULT '[]',
  next_attempt_ms INTEGER
);
CREATE INDEX IF NOT EXISTS deliveries_by_organisation ON deliveries (organisation_id, seq);
CREATE INDEX IF NOT EXISTS deliveries_waiting ON deliveries (next_attempt_ms)
  WHERE next_attempt_ms IS NOT NULL;

CREATE TABLE IF NOT EXISTS mails (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  organisation_id INTEGER NOT NULL,
  recipient TEXT NOT NULL,
  referral_uuids TEXT NOT NULL,
  sent_ms INTEGER NOT NULL
);
CREATE INDEX IF NOT EXISTS mails_by_organisation ON mails (organisation_id, seq);
`;
