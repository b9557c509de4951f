import type { AccessDetail } from "../kernel/access-log.ts";
import type { ShopDomain } from "../kernel/ids.ts";
import type { Actor } from "../kernel/timeline.ts";
import type { Ports } from "../privacy/ports.ts";
import type { Tenant } from "../privacy/tenant.ts";
import { refetchOfFormerClient } from "../referrals/refetch-missing.ts";
import {
  type Connection,
  type Credentials,
  type Environment,
  maySkipSignature,
  type NewSigning,
  type SigningScheme,
} from "../shops/connection.ts";
import { keepOthersChanges } from "../shops/keep-others-changes.ts";
import { type NotAllowed, refuseUnlessAllowed } from "../shops/may-do.ts";
import { type ChangedMeanwhile, whoChanged } from "../shops/save-settings.ts";
import { settingChanges } from "../shops/setting-changes.ts";
import { type TestOutcome, testConnection } from "./test-connection.ts";

export interface ConnectionInput {
  environment: Environment;
  /** Null keeps the stored credentials: the secret is write-only. */
  credentials: Credentials | null;
  signing: NewSigning;
}

/** A connection as its form shows it. Of a secret there is only the moment since which it is stored; null: there is none. */
export interface SeenConnection {
  clientId: string | null;
  clientSecret: string | null;
  signingScheme: SigningScheme;
  signingHeader: string | null;
  signingSecret: string | null;
}

export type SaveConnectionOutcome =
  | { kind: "saved"; connection: Connection; test: TestOutcome }
  | { kind: "credentials_needed" }
  /** Nobody may choose that events go unsigned where patients are real. */
  | { kind: "signature_needed" }
  | ChangedMeanwhile
  | NotAllowed;

/**
 * Stores a connection and tries it. It is stored even when the trial fails, because the service may only be
 * down, and the outcome is shown beside it.
 */
export async function saveConnection(
  ports: Pick<Ports, "tenancy" | "services" | "clock">,
  {
    shop,
    input: wished,
    seen = null,
    actor,
  }: {
    shop: ShopDomain;
    input: ConnectionInput;
    /** What the form showed when it was opened: what is unchanged since then is not saved. Null: all of it is. */
    seen?: SeenConnection | null;
    actor: Actor;
  },
): Promise<SaveConnectionOutcome> {
  if (wished.signing.scheme === "none" && !maySkipSignature(wished.environment))
    return { kind: "signature_needed" };
  const connection = await ports.tenancy.inShop(shop, async (tenant) => {
    const at = ports.clock.now();
    const refused = await refuseUnlessAllowed(tenant, actor, "change_credentials", { at });
    if (refused) return refused;
    await tenant.shops.lockSettings();
    const existing = await tenant.connections.find(wished.environment);
    const opened = await keepOthersConnection(tenant, { wished, seen, existing });
    if ("kind" in opened) return opened;
    const input = opened;
    if (!existing && !input.credentials) return null;
    const isOther = await mayBeOtherClient(tenant, input, existing);
    const saved = await tenant.connections.save({ ...input, at });
    await logChange(tenant, { input, existing, actor, at });
    const { environment } = input;
    // After a restore nothing is sent through it before its list was walked.
    if (!existing && saved.pausedAt)
      await tenant.jobs.enqueue({ name: "sync-connection", shop, environment });
    if (!isOther) return saved;
    const clientSince = ports.clock.now();
    await tenant.connections.recordOtherClient(environment, clientSince);
    await refetchOfFormerClient(tenant, environment, { clientSince, isToldToo: true });
    return tenant.connections.find(environment);
  });
  if (!connection) return { kind: "credentials_needed" };
  if ("kind" in connection) return connection;
  const test = await testConnection(ports, { shop, environment: wished.environment });
  return { kind: "saved", connection, test };
}

/** Stands for a secret that the form brings, which differs from any that is stored. */
const NEW_SECRET = "new";
const SECRETS = ["clientSecret", "signingSecret"];

/** The connection as it is to be saved, with what somebody else changed since the form was opened. */
async function keepOthersConnection(
  tenant: Tenant,
  change: { wished: ConnectionInput; seen: SeenConnection | null; existing: Connection | null },
): Promise<ConnectionInput | ChangedMeanwhile> {
  const { wished, seen, existing } = change;
  if (!seen) return wished;
  const { environment, credentials, signing } = wished;
  const stored: SeenConnection = {
    clientId: existing?.clientId ?? null,
    clientSecret: existing?.credentialsAt?.toISOString() ?? null,
    signingScheme: existing?.signingScheme ?? seen.signingScheme,
    signingHeader: existing?.signingHeader ?? null,
    signingSecret: existing?.signingSecretAt?.toISOString() ?? null,
  };
  const { settings, conflicts } = keepOthersChanges(stored, {
    seen,
    wished: {
      clientId: credentials ? credentials.clientId : seen.clientId,
      clientSecret: credentials ? NEW_SECRET : seen.clientSecret,
      signingScheme: signing.scheme,
      signingHeader: signing.header,
      // Which secrets are former ones depends on it.
      signingSecret: signing.secret || signing.endFormer ? NEW_SECRET : seen.signingSecret,
    },
  });
  if (conflicts.length > 0) {
    const isAboutClient = conflicts.some(({ name }) => name.startsWith("client"));
    const kind = isAboutClient ? "credentials_changed" : "signing_changed";
    const byName = await whoChanged(
      tenant,
      ({ what, detail }) => what === kind && detail?.environment === environment,
    );
    const told = conflicts.map((one) =>
      SECRETS.includes(one.name) ? { name: one.name, saved: undefined, wished: undefined } : one,
    );
    return { kind: "changed_meanwhile", settings: told, byName };
  }
  const { signingScheme: scheme, signingHeader: header } = settings;
  return { environment, credentials, signing: { ...signing, scheme, header } };
}

/**
 * Whether what was sent before may have gone to another organisation, whose list these credentials do not show. A
 * connection that was removed is forgotten, as is whose one was that can't be read; that it was there tell attempts that are unclear and
 * referrals that are open.
 */
async function mayBeOtherClient(
  tenant: Tenant,
  { environment, credentials }: ConnectionInput,
  existing: Connection | null,
): Promise<boolean> {
  if (existing && credentials === null) return false;
  if (existing?.clientId) return credentials?.clientId !== existing.clientId;
  if (await tenant.connections.hasUnclearAttempts(environment)) return true;
  return (await tenant.serviceSync.oldestOpen(environment)) !== null;
}

/** Tells the access log that credentials or signing are others now: which, and never a value. */
async function logChange(
  tenant: Tenant,
  change: { input: ConnectionInput; existing: Connection | null; actor: Actor; at: Date },
): Promise<void> {
  const { input, existing, actor, at } = change;
  const { environment, credentials, signing } = input;
  const deed = { at, who: "staff", actor } as const;
  if (credentials) {
    const detail = { environment, isNew: !existing };
    await tenant.accessLog.add({ ...deed, what: "credentials_changed", detail });
  }
  const detail = settingChanges(
    { signingScheme: existing?.signingScheme, signingHeader: existing?.signingHeader },
    { signingScheme: signing.scheme, signingHeader: signing.header },
  );
  if (!detail && !signing.secret && !signing.endFormer) return;
  const changed: AccessDetail = { environment, ...detail };
  if (signing.secret) changed.signingSecret = "changed";
  if (signing.endFormer) changed.formerSecrets = "ended";
  await tenant.accessLog.add({ ...deed, what: "signing_changed", detail: changed });
}
