type Fault = { setting: string; remedy: string };

/** Settings of which each means nothing without the database that DATABASE_URL names. */
const OF_A_DATABASE = [
  ...["DATABASE_WORKER_URL", "DATABASE_INTAKE_URL", "DATABASE_DIRECT_URL", "PATHWAY_TENANT_KEYS"],
] as const;

/** Settings of which each opens nothing without the others. */
const OF_A_BUCKET = [
  ...["PATHWAY_S3_ENDPOINT", "PATHWAY_S3_BUCKET", "PATHWAY_S3_ACCESS_KEY_ID"],
  "PATHWAY_S3_SECRET_ACCESS_KEY",
] as const;

/**
 * Returns the settings that do not go together, each with its remedy. A setting that was forgotten, or whose name has a
 * typing error, would otherwise be replaced by a default that serves nobody, and the process would be ready.
 */
export function contradictionsIn(env: Readonly<Record<string, unknown>>): Fault[] {
  const faults: Fault[] = [];
  const given = OF_A_DATABASE.find((name) => env[name]);
  if (given && !env.DATABASE_URL)
    faults.push({
      setting: "DATABASE_URL",
      remedy: `set it, for ${given} is set; without it this process would start a database of its own`,
    });
  const production = "REFERRAL_SERVICE_PRODUCTION_BASE_URL";
  const tokens = "REFERRAL_SERVICE_PRODUCTION_AUTH_URL";
  if (env[production] && !env[tokens])
    faults.push({ setting: tokens, remedy: `set it, for ${production} is set` });
  const part = [tokens, "REFERRAL_SERVICE_PRODUCTION_APP_URL"] as const;
  const lonely = part.find((name) => env[name]);
  if (lonely && !env[production])
    faults.push({
      setting: production,
      remedy: `set it, for ${lonely} is set; without it nobody may order in production`,
    });
  // PDFs may lie in the bucket still, wherever new ones go.
  const ofBucket = OF_A_BUCKET.find((name) => env[name]);
  const missing = OF_A_BUCKET.find((name) => !env[name]);
  if (ofBucket && missing)
    faults.push({
      setting: missing,
      remedy: `set it, for ${ofBucket} is set; without it no PDF of the bucket can be opened`,
    });
  if (env.SMTP_URL && !env.MAIL_FROM && !isOnThisMachine(String(env.SMTP_URL)))
    faults.push({ setting: "MAIL_FROM", remedy: "set it, for SMTP_URL is set" });
  return faults;
}

/** A mail server of this machine, as of a sandbox, takes any sender. */
const isOnThisMachine = (address: string): boolean =>
  ["localhost", "127.0.0.1", "[::1]"].includes(new URL(address).hostname);
