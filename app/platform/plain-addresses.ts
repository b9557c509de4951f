import { readDatabaseAddress } from "./database-address.ts";
import type { ProcessSettings } from "./env.ts";

/** What libpq's and node-postgres' `sslmode` may say for a connection that is never in the clear. */
const ENCRYPTED_MODES = ["require", "verify-ca", "verify-full"];

/**
 * Returns the settings that would send something in the clear: addresses with plain http, mail that need not be
 * encrypted, a database that is reached over the network without TLS. Each with what to write instead.
 */
export function plainAddresses(env: ProcessSettings): { setting: string; remedy: string }[] {
  const plain = Object.entries(env)
    .filter(([, value]) => typeof value === "string" && /^http:/i.test(value))
    .map(([setting]) => ({ setting, remedy: "use https" }));
  if (env.SMTP_URL && !isEncryptedMail(env.SMTP_URL))
    plain.push({ setting: "SMTP_URL", remedy: "use smtps://, or add ?requireTLS=true" });
  for (const setting of [
    ...["DATABASE_URL", "DATABASE_DIRECT_URL", "DATABASE_WORKER_URL", "DATABASE_INTAKE_URL"],
  ] as const) {
    const address = env[setting];
    if (address && !isEncryptedDatabase(address))
      plain.push({ setting, remedy: "add sslmode=verify-full" });
  }
  const hosts = env.REFERRAL_ATTACHMENT_HOSTS ?? [];
  if (hosts.some((host) => /^http:/i.test(host)))
    plain.push({ setting: "REFERRAL_ATTACHMENT_HOSTS", remedy: "leave http:// out" });
  return plain;
}

/**
 * In production nothing that is set may be sent in the clear, unless the operator says that it may: then the start
 * says aloud what is. Returns the warning, or null when all is encrypted.
 *
 * @throws Error one message that names every such setting with its remedy
 */
export function refusePlainAddresses(env: ProcessSettings): string | null {
  const plain = plainAddresses(env);
  if (plain.length === 0) return null;
  const lines = plain.map(({ setting, remedy }) => `  ${setting}: ${remedy}`).join("\n");
  if (!env.PATHWAY_ALLOW_PLAIN_HTTP)
    throw new Error(
      `Pathway cannot start; in production these settings would send health data or credentials unencrypted:\n${lines}\n` +
        "Only inside a network of your own, set PATHWAY_ALLOW_PLAIN_HTTP=1 instead.",
    );
  const settings = plain.map(({ setting }) => setting).join(", ");
  return `PATHWAY_ALLOW_PLAIN_HTTP is set: ${settings} send unencrypted. Never do this outside a network of your own.`;
}

function isEncryptedMail(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, searchParams } = new URL(address);
  return (
    protocol === "smtps:" || ["requireTLS", "secure"].some((is) => searchParams.get(is) === "true")
  );
}

function isEncryptedDatabase(address: string): boolean {
  // A socket of this machine is named by a path (`postgresql://%2Frun%2Fpostgresql/pathway`), which is no address.
  if (/^postgres(ql)?:\/\/([^@/]*@)?%2f/i.test(address)) return true;
  const { searchParams } = readDatabaseAddress(address) ?? {};
  if (searchParams?.get("host")?.startsWith("/")) return true;
  return ENCRYPTED_MODES.includes(searchParams?.get("sslmode") ?? "");
}
