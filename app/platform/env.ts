import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { contradictionsIn } from "./contradictions.ts";
import { errorCode } from "./error-code.ts";
import {
  address,
  appAddress,
  collector,
  database,
  flag,
  list,
  milliseconds,
  number,
  timer,
  yes,
} from "./setting-forms.ts";
import { SETTINGS_WORDS } from "./settings-words.ts";

/** Every setting of the process, with its default. docs/settings.md explains each to the person who sets it. */
const settingsSchema = z.object({
  PORT: number.int().min(0).max(65535).default(3000),
  PATHWAY_HOST: z.string().default("127.0.0.1"),
  /** Addresses and ranges of proxies whose X-Forwarded-For is believed (app/web/rate-limiting). */
  PATHWAY_TRUSTED_PROXIES: list.default([]),
  PATHWAY_ADMIN_PORT: number.int().min(0).max(65535).default(0),
  PATHWAY_ADMIN_HOST: z.string().default("127.0.0.1"),
  PATHWAY_ROLES: list.pipe(z.array(z.enum(["web", "worker"])).min(1)).default(["web", "worker"]),
  DATABASE_URL: database.optional(),
  DATABASE_WORKER_URL: database.optional(),
  DATABASE_INTAKE_URL: database.optional(),
  DATABASE_DIRECT_URL: database.optional(),
  PATHWAY_TENANT_KEYS: z.string().min(1).optional(),
  // For `npm run migrate` alone.
  PATHWAY_WEB_PASSWORD: z.string().min(1).optional(),
  PATHWAY_WORKER_PASSWORD: z.string().min(1).optional(),
  PATHWAY_INTAKE_PASSWORD: z.string().min(1).optional(),
  DATABASE_POOL_SIZE: number.int().min(2).default(15),
  PATHWAY_MIGRATION_TIMEOUT_MS: milliseconds.min(1_000).default(15 * 60_000),
  PATHWAY_DATA_DIR: z.string().default(".data"),
  PATHWAY_MASTER_KEYS: z.string().optional(),
  PATHWAY_KEY_DIR: z.string().min(1).optional(),
  PATHWAY_AUDIT_DIR: z.string().optional(),
  PATHWAY_DOCUMENTS: z.enum(["database", "files", "s3"]).default("database"),
  PATHWAY_DOCUMENTS_DIR: z.string().min(1).optional(),
  PATHWAY_S3_ENDPOINT: address.optional(),
  PATHWAY_S3_REGION: z.string().min(1).default("ap-southeast-2"),
  PATHWAY_S3_BUCKET: z.string().min(1).optional(),
  PATHWAY_S3_ACCESS_KEY_ID: z.string().min(1).optional(),
  PATHWAY_S3_SECRET_ACCESS_KEY: z.string().min(1).optional(),
  SHOPIFY_APP_URL: appAddress,
  SHOPIFY_API_KEY: z.string().min(1),
  SHOPIFY_API_SECRET: z.string().min(1),
  SHOPIFY_API_SECRET_PREVIOUS: z.string().min(1).optional(),
  SHOPIFY_API_ORIGIN: address.optional(),
  SHOPIFY_ADMIN_ORIGIN: address.default("https://admin.shopify.com"),
  APP_BRIDGE_URL: z.url().optional(),
  REFERRAL_SERVICE_STAGING_BASE_URL: address,
  REFERRAL_SERVICE_STAGING_AUTH_URL: address,
  REFERRAL_SERVICE_STAGING_APP_URL: address.optional(),
  REFERRAL_SERVICE_PRODUCTION_BASE_URL: address.optional(),
  REFERRAL_SERVICE_PRODUCTION_AUTH_URL: address.optional(),
  REFERRAL_SERVICE_PRODUCTION_APP_URL: address.optional(),
  REFERRAL_SERVICE_VENDOR: z
    .string()
    .regex(/^[a-z0-9-]+$/)
    .default("service"),
  REFERRAL_ATTACHMENT_HOSTS: list.optional(),
  SMTP_URL: z
    .url({
      protocol: /^smtps?$/,
      hostname: /./,
      error:
        "write smtps://user:password@host:465, or smtp://user:password@host:587?requireTLS=true",
    })
    .optional(),
  MAIL_FROM: z
    .string()
    .regex(/[^\s<>@]@[^\s<>@]+>?$/, "write an address, or Name <address>")
    .optional(),
  PATHWAY_CREATE_TIMEOUT_MS: timer.default(120_000),
  PATHWAY_CREATES_AT_ONCE: number.int().min(1).max(1000).default(100),
  PATHWAY_QUARANTINE_MS: milliseconds.default(15 * 60_000),
  PATHWAY_DOCUMENT_OVERDUE_MS: milliseconds.default(10 * 60_000),
  PATHWAY_ERASURE_DELAY_MS: milliseconds.default(48 * 3_600_000),
  PATHWAY_KEEP_ALIVE_MS: timer.default(130_000),
  PATHWAY_DRAIN_MS: milliseconds.max(5_000).default(0),
  PATHWAY_STOP_GRACE_MS: milliseconds.max(15_000).default(15_000),
  PATHWAY_SYNC_INTERVAL_MS: timer.default(5 * 60_000),
  PATHWAY_REMINDER_DAY_MS: milliseconds.default(24 * 3_600_000),
  PATHWAY_MAIL_WINDOW_MS: milliseconds.default(120_000),
  PATHWAY_ESCALATION_HOUR_MS: milliseconds.default(3_600_000),
  PATHWAY_START_PAUSED_UNTIL_SYNCED: yes.default(false),
  PATHWAY_ALLOW_PLAIN_HTTP: yes.default(false),
  PATHWAY_MAINTENANCE_INTERVAL_MS: timer.default(3_600_000),
  PATHWAY_EMAIL_BY_SERVICE: flag.default(false),
  // For tests only (docs/decisions/0012).
  PATHWAY_CRASH_AT: z.string().optional(),
  PATHWAY_CRASH_CONTROL_DIR: z.string().optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: collector.optional(),
  OTEL_EXPORTER_OTLP_HEADERS: z.string().optional(),
  OTEL_TRACES_SAMPLER_ARG: number.min(0).max(1).default(1),
  LOG_LEVEL: z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]).default("info"),
});

/** The folder in which the heads of the access logs' chains are noted: beside the keys, outside the database. */
export const auditFolder = (
  env: Pick<ProcessSettings, "PATHWAY_AUDIT_DIR" | "PATHWAY_DATA_DIR">,
): string => env.PATHWAY_AUDIT_DIR ?? join(env.PATHWAY_DATA_DIR, "audit");

export type ProcessSettings = z.infer<typeof settingsSchema>;

const storeSchema = settingsSchema.pick({
  PATHWAY_DATA_DIR: true,
  PATHWAY_DOCUMENTS: true,
  PATHWAY_DOCUMENTS_DIR: true,
  PATHWAY_S3_ENDPOINT: true,
  PATHWAY_S3_REGION: true,
  PATHWAY_S3_BUCKET: true,
  PATHWAY_S3_ACCESS_KEY_ID: true,
  PATHWAY_S3_SECRET_ACCESS_KEY: true,
});

const migrationSchema = settingsSchema.pick({
  DATABASE_URL: true,
  DATABASE_DIRECT_URL: true,
  PATHWAY_TENANT_KEYS: true,
  PATHWAY_WEB_PASSWORD: true,
  PATHWAY_WORKER_PASSWORD: true,
  PATHWAY_INTAKE_PASSWORD: true,
  PATHWAY_MIGRATION_TIMEOUT_MS: true,
});

type MigrationSettings = z.infer<typeof migrationSchema>;

/** The settings of the stores of documents. */
export type StoreSettings = z.infer<typeof storeSchema>;

/** A setting without words does not compile. */
const WORDS: Record<keyof ProcessSettings, string> = SETTINGS_WORDS;

/** The names of all settings. */
export const SETTINGS = Object.keys(settingsSchema.shape) as (keyof ProcessSettings)[];

/** The default of each setting that has one. */
export function defaultSettings(): Partial<Record<keyof ProcessSettings, unknown>> {
  const entries = Object.entries(settingsSchema.shape).flatMap(([name, schema]) => {
    const absent = schema.safeParse(undefined);
    return absent.success && absent.data !== undefined ? [[name, absent.data]] : [];
  });
  return Object.fromEntries(entries);
}

/** Settings that were renamed, with the names that are still accepted for one version. */
export const FORMER_SETTINGS: Record<string, string> = {
  HOST: "PATHWAY_HOST",
  PATHWAY_TAILER_INTERVAL_MS: "PATHWAY_SYNC_INTERVAL_MS",
  PATHWAY_START_PAUSED_UNTIL_TAILED: "PATHWAY_START_PAUSED_UNTIL_SYNCED",
  PATHWAY_TENDING_INTERVAL_MS: "PATHWAY_MAINTENANCE_INTERVAL_MS",
};

/** `HOST` is an address of the whole app to Shopify's command line, and was where to listen to earlier versions. */
const isAddress = (value: string | undefined) => /^https?:/.test(value ?? "");

/** Returns the variables under their present names, and a warning for each former name that is set. */
export function withPresentSettings(variables: Record<string, string | undefined>): {
  variables: Record<string, string | undefined>;
  warnings: string[];
} {
  const present = { ...variables };
  const warnings: string[] = [];
  // Shopify's command line names its tunnel so, and in former versions also as HOST.
  const tunnel = [variables.APP_URL, variables.HOST].find(isAddress);
  present.SHOPIFY_APP_URL ||= tunnel;
  // It opens another at each start, while .env names one of long ago, or the example's.
  if (variables.APP_ENV === "development" && tunnel) present.SHOPIFY_APP_URL = tunnel;
  for (const [former, name] of Object.entries(FORMER_SETTINGS)) {
    if (!variables[former] || isAddress(variables[former])) continue;
    present[name] ||= variables[former];
    warnings.push(`${former} is called ${name} now; the next version does not read the old name.`);
  }
  return { variables: present, warnings };
}

/** Passwords are taken to the letter. */
const isPassword = (name: string) => name.endsWith("_PASSWORD");

/**
 * What somebody meant by a value: none begins or ends with a blank or a line break, which editors, `.env` files of Windows and
 * `echo` leave behind. A secret with one would fit nothing, and nobody would see why.
 */
const trimmed = (name: string, value: string): string =>
  isPassword(name) ? value.replace(/[\r\n]+$/, "") : value.trim();

/** `docker run --env-file` and Kubernetes keep the quotation marks that a shell or a `.env` file takes away. */
const isQuoted = (name: string, value: string): boolean =>
  !isPassword(name) && /^(["']).*\1$/s.test(value);

/** Two values in the place of one, or a sign that came along from a page or a chat: a secret with it fits nothing either. */
const UNSEEN = /\p{Cf}|[^,\s]\s*[\r\n]\s*[^,\s]/u;

/** A sender's name may need a joiner of its script. */
const hasUnseen = (name: string, value: string): boolean =>
  !isPassword(name) && name !== "MAIL_FROM" && UNSEEN.test(value);

/** The text of a file; null where it is none, as PowerShell writes it. A mark at its beginning, as of Windows, is left out. */
function textOf(file: string): string | null {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(file));
    return text.includes("\0") ? null : text;
  } catch (error) {
    if (errorCode(error) === "ERR_ENCODING_INVALID_ENCODED_DATA") return null;
    throw error;
  }
}

/**
 * Reads each setting that is named by a file: `NAME_FILE=/run/secrets/name` stands for the file's text, so that a secret is in no
 * list of processes and in no inspection of a container. Blanks and line breaks around a setting are left out. Throws when the
 * file cannot be read, is no text or is empty, or when both are set: a secret that nobody has written yet is no setting that was left out.
 * Where there is to be none, compose.yaml names /dev/null, which is no file.
 */
export function withFiles(
  variables: Record<string, string | undefined>,
): Record<string, string | undefined> {
  const read = { ...variables };
  for (const name of Object.keys(settingsSchema.shape)) {
    const value = variables[name];
    if (value !== undefined) read[name] = trimmed(name, value);
    const file = variables[`${name}_FILE`]?.trim();
    if (!file) continue;
    if (read[name]) throw new Error(`Set ${name} or ${name}_FILE, not both.`);
    let text: string | null;
    let isFile: boolean;
    try {
      text = textOf(file);
      isFile = statSync(file).isFile();
    } catch (error) {
      throw new Error(`${name}_FILE cannot be read (${errorCode(error)}): ${file}`);
    }
    if (text === null) throw new Error(`${name}_FILE is no text in UTF-8: ${file}`);
    read[name] = trimmed(name, text);
    if (isFile && !read[name]) throw new Error(`${name}_FILE is empty: ${file}`);
  }
  return read;
}

/** Reads the settings once at boot. Throws one message that names every setting that is wrong. */
export function readProcessSettings(
  variables: Record<string, string | undefined>,
): ProcessSettings {
  const env = readBy(settingsSchema, variables);
  refuse(contradictionsIn(env).map(({ setting, remedy }) => [setting, remedy]));
  return env;
}

/** Reads the settings of the stores of documents alone, for a command that needs no others. Throws as `readProcessSettings`. */
export const readStoreSettings = (variables: Record<string, string | undefined>): StoreSettings =>
  readBy(storeSchema, variables);

/** Reads the settings of `npm run migrate` alone. Throws as `readProcessSettings`. */
export const readMigrationSettings = (
  variables: Record<string, string | undefined>,
): MigrationSettings => readBy(migrationSchema, variables);

function readBy<T>(schema: z.ZodType<T>, variables: Record<string, string | undefined>): T {
  const given: Record<string, string> = {};
  const faults = new Map<string, string>();
  for (const name of SETTINGS) {
    const value = trimmed(name, variables[name] ?? "");
    // A variable that is set to nothing is one that is not set.
    if (value !== "") given[name] = value;
    if (isQuoted(name, value)) faults.set(name, "take the quotation marks around it out");
    if (hasUnseen(name, value))
      faults.set(name, "write it in one line, without signs that nobody sees");
  }
  const parsed = schema.safeParse(given);
  for (const { path, message } of parsed.error?.issues ?? []) {
    const name = String(path[0]) as keyof ProcessSettings;
    const remedy = given[name] === undefined ? `set it (${WORDS[name]})` : message;
    if (!faults.has(name)) faults.set(name, remedy);
  }
  refuse([...faults]);
  // With what is wrong in no setting there is nothing to refuse.
  return parsed.data as T;
}

/** Throws one message that names every setting that is wrong with its remedy, where there are any. */
function refuse(faults: [name: string, remedy: string][]) {
  if (faults.length === 0) return;
  const lines = faults.map(([name, remedy]) => `  ${name}: ${remedy}`);
  throw new Error(
    `Pathway cannot start; these settings are missing or wrong:\n${lines.join("\n")}`,
  );
}
