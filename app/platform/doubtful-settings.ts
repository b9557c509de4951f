import { FORMER_SETTINGS, type ProcessSettings, SETTINGS } from "./env.ts";

/** Names that compose.yaml, tools and the sandbox read, and no process. */
const NO_SETTINGS =
  /^PATHWAY_(DOMAIN|SUBNET|IMAGE|MIGRATE_IMAGE|S3_SECRET_FILE|ALERTS_PASSWORD_FILE|APP_URL|LISTING|GALLERY|STRANGERS|FUZZ_RUNS|MODEL_\w+|WORLD_\w+|APP_NODE_FLAGS|POSTGRES_TEMPLATE)$/;
/** Kubernetes tells every pod of each Service: one of the name `pathway` has these. */
const OF_A_SERVICE = /^PATHWAY_(\w+_)?(SERVICE_(HOST|PORT)|PORT)(_|$)/;
/** Where a name begins as ours do, somebody meant a setting of ours. */
const OURS = /^(PATHWAY_|REFERRAL_)/;

/** Times of which so little is a mistake in the unit: seconds, minutes or hours were meant. */
const LEAST_MS = {
  PATHWAY_CREATE_TIMEOUT_MS: 10_000,
  PATHWAY_QUARANTINE_MS: 10_000,
  PATHWAY_DOCUMENT_OVERDUE_MS: 10_000,
  PATHWAY_SYNC_INTERVAL_MS: 1_000,
  PATHWAY_MAINTENANCE_INTERVAL_MS: 1_000,
  PATHWAY_REMINDER_DAY_MS: 60_000,
  PATHWAY_ESCALATION_HOUR_MS: 60_000,
  PATHWAY_ERASURE_DELAY_MS: 60_000,
} satisfies Partial<Record<keyof ProcessSettings, number>>;

/**
 * Returns a warning for each setting that can be meant and hardly is: a name that no process reads, which leaves the default in
 * force without a word, and a time that is too short to be milliseconds. None repeats a value that may be secret.
 */
export function doubtfulSettings(
  variables: Record<string, string | undefined>,
  env: ProcessSettings,
): string[] {
  const known = new Set<string>([
    ...SETTINGS.flatMap((name) => [name, `${name}_FILE`]),
    ...Object.keys(FORMER_SETTINGS),
  ]);
  const unread = Object.keys(variables).filter(
    (name) =>
      OURS.test(name) && !known.has(name) && !NO_SETTINGS.test(name) && !OF_A_SERVICE.test(name),
  );
  const warnings = unread.map(
    (name) => `${name} is no setting, and does nothing: docs/settings.md has every name.`,
  );
  for (const [name, least] of Object.entries(LEAST_MS)) {
    const ms = Number(env[name as keyof typeof LEAST_MS]);
    // Nothing at all is meant so.
    if (ms > 0 && ms < least)
      warnings.push(`${name} is ${ms} milliseconds: were seconds, minutes or hours meant?`);
  }
  if (!env.SMTP_URL)
    warnings.push("SMTP_URL is not set: no mail can be sent, and each waits until it is.");
  return warnings;
}

const MEANT = ["production", "development", "test"];

/** Returns a warning when `NODE_ENV` is left out, or is a word that nobody reads, such as one that kept its quotation marks. */
export const doubtfulEnvironment = (name: string | undefined): string | null =>
  MEANT.includes(name ?? "")
    ? null
    : "NODE_ENV is not production: what would be sent unencrypted is not refused, and failures may tell visitors more than they may know. Set NODE_ENV=production, without quotation marks.";
