import { Prisma } from "../../../generated/prisma/client.ts";
import { parseEnum } from "../../../platform/database/parse-enum.ts";
import { rowsOf } from "../../../platform/database/rows-of.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import { unanswered } from "../../../platform/database/unanswered.ts";
import type { FieldPlace } from "../../../platform/encryption/sealer.ts";
import { isSealedShut } from "../../../platform/key-troubles.ts";
import { hashSecret, newSecret } from "../../kernel/secret.ts";
import {
  type AnswersLately,
  CONNECTION_UNREADABLE,
  type Connection,
  type ConnectionRepository,
  ENVIRONMENTS,
  type Environment,
  PREVIOUS_SECRET_MS,
  SIGNING_SCHEMES,
} from "../connection.ts";
import { openFormer, sealFormer, withFormer } from "./former-secrets.ts";

type ConnectionRow = NonNullable<Awaited<ReturnType<Scope["tx"]["connection"]["findUnique"]>>>;

const readConnections = rowsOf<ConnectionRow>(
  "connections",
  Object.values(Prisma.ConnectionScalarFieldEnum),
);

/** Where a connection's sealed columns live; app/modules/shops/postgres/connection-secrets.ts opens them outside a tenant. */
export const connectionField = (column: string, environment: string): FieldPlace => ({
  table: "connections",
  column,
  row: environment,
});

const NO_FORMER = { previousSigningSecretSealed: null, previousSecretUntil: null };

/** After a switch, what was ordered through a connection that the database has forgotten is looked for so far back. */
const FORGOTTEN_DAYS = 60;

/**
 * The database may have forgotten a connection, and the referrals that were ordered through it. One that is new within a
 * month of a switch is therefore paused until its list has been walked (docs/decisions/0011).
 */
async function pauseAfterSwitch(tx: Scope["tx"]) {
  const [row] = await tx.$queryRaw<{ switchedAt: Date }[]>`
    SELECT switched_at AS "switchedAt" FROM database_identity
    WHERE switched_at > now() - interval '30 days'`;
  if (!row) return {};
  const restorePoint = new Date(row.switchedAt.getTime() - FORGOTTEN_DAYS * 24 * 3_600_000);
  return { pausedAt: row.switchedAt, restorePoint };
}

export function connectionRepository({ tx, shop, sealer }: Scope): ConnectionRepository {
  const key = (environment: Environment) => ({ shop_environment: { shop, environment } });
  const readRow = async (environment: Environment) => {
    const which = Prisma.sql`shop = ${shop} AND environment = ${environment}`;
    return (await readConnections(tx, which))[0] ?? null;
  };
  const open = (column: string, environment: string, sealed: Uint8Array) =>
    sealer.open(connectionField(column, environment), sealed).toString("utf8");
  /** Null where it can't be opened: whoever has to enter it again needs the pages that show the rest. */
  const openIfReadable = (...sealed: Parameters<typeof open>): string | null => {
    try {
      return open(...sealed);
    } catch (error) {
      if (!isSealedShut(error)) throw error;
      return null;
    }
  };

  const toConnection = (row: ConnectionRow): Connection => ({
    environment: parseEnum(ENVIRONMENTS, row.environment),
    clientId: openIfReadable("client_id", row.environment, row.clientIdSealed),
    credentialsAt: row.credentialsAt,
    signingSecretAt: row.signingSecretAt,
    clientSince: row.clientSince,
    addressToken: openIfReadable("address", row.environment, row.addressSealed),
    signingScheme: parseEnum(SIGNING_SCHEMES, row.signingScheme),
    signingHeader: row.signingHeader,
    hasSigningSecret: row.signingSecretSealed !== null,
    previousSecretUntil: row.previousSecretUntil,
    lastEventAt: row.lastEventAt,
    signedEventAt: row.signedEventAt,
    lastTestedAt: row.lastTestedAt,
    answeredAt: row.answeredAt,
    failing:
      row.failingSince && row.failureCode
        ? { since: row.failingSince, code: row.failureCode }
        : null,
    ordersFailingSince: row.ordersFailingSince,
    outageToldSince: row.outageToldSince,
    flowRefusedAt: row.flowRefusedAt,
    lastTestOutcome: row.lastTestOutcome,
    syncedThrough: row.syncedThrough,
    syncPages: row.syncStartedAt ? row.syncPages : null,
    pausedAt: row.pausedAt,
    eventsRepaired: row.eventsRepaired,
    eventsReceived: row.eventsReceived,
  });

  /** The secrets that still count beside a new one: the one that it takes the place of, and those before. */
  const replaced = (row: ConnectionRow | null, secret: string | null, at: Date) => {
    if (!row?.signingSecretSealed || secret === null) return {};
    const former = openIfReadable("signing_secret", row.environment, row.signingSecretSealed);
    // No event is believed by a secret that can't be read: there is nothing that could count on.
    if (former === null) return NO_FORMER;
    if (former === secret) return {};
    const until = new Date(at.getTime() + PREVIOUS_SECRET_MS);
    const before = openFormer(sealer, row.environment, {
      ...{ sealed: row.previousSigningSecretSealed, until: row.previousSecretUntil, at },
    });
    const counting = withFormer(before, { secret: former, until }, secret);
    return {
      previousSigningSecretSealed: sealFormer(sealer, row.environment, counting),
      previousSecretUntil: until,
    };
  };

  return {
    async find(environment) {
      const row = await readRow(environment);
      return row && toConnection(row);
    },
    async all() {
      const rows = await readConnections(tx, Prisma.sql`shop = ${shop} ORDER BY environment`);
      return rows.map(toConnection);
    },
    async save({ environment, credentials, signing, at = new Date() }) {
      const before = await readRow(environment);
      const sealed = (column: string, value: string) =>
        sealer.seal(connectionField(column, environment), value);
      const signingFields = {
        signingScheme: signing.scheme,
        signingHeader: signing.header,
        // Null keeps the stored one: it is write-only, like the client's.
        ...(signing.secret === null
          ? {}
          : {
              signingSecretSealed: sealed("signing_secret", signing.secret),
              signingSecretAt: at,
            }),
        ...(signing.endFormer ? NO_FORMER : replaced(before, signing.secret, at)),
      };
      const credentialFields = credentials && {
        clientIdSealed: sealed("client_id", credentials.clientId),
        clientSecretSealed: sealed("client_secret", credentials.clientSecret),
        credentialsAt: at,
        tokensSealed: null,
      };
      if (!credentialFields) {
        const row = await tx.connection.update({ where: key(environment), data: signingFields });
        return toConnection(row);
      }
      const token = newSecret("event_address");
      const row = await tx.connection.upsert({
        where: key(environment),
        create: {
          shop,
          environment,
          addressHash: new Uint8Array(hashSecret(token)),
          addressSealed: sealed("address", token),
          ...signingFields,
          ...credentialFields,
          ...(await pauseAfterSwitch(tx)),
        },
        update: { ...signingFields, ...credentialFields },
      });
      return toConnection(row);
    },
    async recordOtherClient(environment, at) {
      await tx.connection.updateMany({
        where: { shop, environment },
        data: { clientSince: at },
      });
    },
    async hasUnclearAttempts(environment) {
      const where = { shop, environment, state: { in: ["sending", "ambiguous"] } };
      return (await tx.referralRequest.findFirst({ where, select: { id: true } })) !== null;
    },
    async remove(environment) {
      await tx.connection.deleteMany({ where: { shop, environment } });
    },
    async recordCalls(environment, { answeredAt, failingSince, failureCode, orders }) {
      await unanswered(
        tx,
        Prisma.sql`
        UPDATE connections SET
          answered_at = greatest(answered_at, ${answeredAt}),
          failing_since = ${sinceWhen(Prisma.sql`failing_since`, { answeredAt, failingSince })},
          orders_failing_since = ${orders ? sinceWhen(Prisma.sql`orders_failing_since`, orders) : Prisma.sql`orders_failing_since`},
          failure_code = ${failureCode}
        WHERE shop = ${shop} AND environment = ${environment}`,
      );
    },
    async recordReadable(environment) {
      await tx.connection.updateMany({
        where: { shop, environment, failureCode: CONNECTION_UNREADABLE },
        data: { failingSince: null, failureCode: null },
      });
    },
    async recordOutageTold(environment, { from, to }) {
      const { count } = await tx.connection.updateMany({
        where: { shop, environment, outageToldSince: from },
        data: { outageToldSince: to },
      });
      return count > 0;
    },
    async recordFlowRefused(environment, at) {
      await tx.connection.updateMany({
        where: { shop, environment },
        data: { flowRefusedAt: at },
      });
    },
    async recordTest(environment, { outcome, at }) {
      await tx.connection.updateMany({
        where: { shop, environment },
        data: { lastTestedAt: at, lastTestOutcome: outcome },
      });
      // A test that passed is an answered call: the failures before it are over before calls are added up.
      if (outcome === "ok")
        await tx.connection.updateMany({
          where: { shop, environment, failingSince: { lte: at } },
          data: { failingSince: null, failureCode: null },
        });
    },
    async recordVersion(environment, apiVersion) {
      await tx.connection.updateMany({
        where: {
          shop,
          environment,
          OR: [{ apiVersion: null }, { apiVersion: { not: apiVersion } }],
        },
        data: { apiVersion },
      });
    },
    async recordEvent(environment, { at, isReadable }) {
      await unanswered(
        tx,
        Prisma.sql`
        UPDATE connections SET
          last_event_at = ${at}, events_received = events_received + 1,
          signed_event_at = CASE WHEN ${isReadable} AND signing_scheme <> 'none' THEN ${at} ELSE signed_event_at END
        WHERE shop = ${shop} AND environment = ${environment}`,
      );
    },
  };
}

/** The value of a column that says since when calls fail: failures that go on keep their beginning. */
const sinceWhen = (column: Prisma.Sql, { answeredAt, failingSince }: AnswersLately): Prisma.Sql =>
  failingSince && answeredAt === null
    ? Prisma.sql`coalesce(${column}, ${failingSince})`
    : Prisma.sql`${failingSince}`;
