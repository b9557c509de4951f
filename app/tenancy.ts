import { Prisma } from "./generated/prisma/client.ts";
import { INSTALLATION } from "./modules/kernel/access-chain.ts";
import type { ShopDomain } from "./modules/kernel/ids.ts";
import { accessLogRepository } from "./modules/kernel/postgres/access-log.ts";
import { accessSealRepository } from "./modules/kernel/postgres/access-seals.ts";
import type { Database } from "./platform/database/database.ts";
import { despiteDeadlocks } from "./platform/database/deadlocks.ts";
import { pauseAfterRestore, type Restored } from "./platform/database/pause-after-restore.ts";
import { refusalOf } from "./platform/database/refusal.ts";
import { requireSameDatabase } from "./platform/database/same-database.ts";
import type { RestoreJournal, Scope } from "./platform/database/scope.ts";
import type { Transaction } from "./platform/database/transactions.ts";
import { unanswered } from "./platform/database/unanswered.ts";
import { SWITCHED_AT } from "./platform/encryption/data-keys.ts";
import { despiteReplacedKeys } from "./platform/encryption/replaced-keys.ts";
import type { ShopSealer } from "./platform/encryption/sealer.ts";
import type { Sealers } from "./platform/encryption/sealers.ts";
import type { SubjectKeys } from "./platform/encryption/subject-keys.ts";
import { shopProof, type TenantKey } from "./platform/encryption/tenant-key.ts";
import { DatabaseNotWritable, DatabaseSwitched } from "./platform/errors.ts";
import { lazyAsync } from "./platform/lazy-async.ts";
import type { Logger } from "./platform/logger.ts";
import { tolerate } from "./platform/tolerate.ts";
import type { Tenancy, Tenant } from "./ports.ts";
import { outbox } from "./queue/outbox.ts";

/** Runs `work` in one transaction that sees the log of what belongs to no shop. */
type InInstallation = <T>(
  work: (log: Pick<Tenant, "accessLog" | "accessSeals">) => Promise<T>,
) => Promise<T>;

interface ProcessTenancy extends Tenancy {
  inInstallation: InInstallation;
  /** Throws unless a transaction of a tenant can be begun, can read and might write, where the process's own work is. */
  tryTenant(): Promise<void>;
  /** For whoever finds that the database is another one than was noted: pauses sending, and tells `onRestored`. */
  noticeSwitch(): Promise<void>;
}

/** One finds that the database is another, one that this process has its keys from the former. */
const MAX_TRIES = 3;

const NO_JOURNAL: RestoreJournal = { note: () => {}, notedAt: async () => null };

const loadRows = lazyAsync(() => import("./tenant-rows.ts"));

/**
 * The domain's view of PostgreSQL. Each transaction takes the role `pathway_tenant` and proves its shop, so
 * that row-level security hides every other shop's rows even from a query that forgot to ask for its own.
 * `onJobs` is called after a commit that queued work, to wake the relay. A transaction that finds another database than
 * was noted pauses sending, tells `onRestored`, and is done again.
 */
export function createTenancy(options: {
  database: Database;
  sealers: Sealers;
  onJobs: () => void;
  onRestored?: (restored: Restored) => void;
  /** Left out where no database is ever lost. */
  restoreJournal?: RestoreJournal;
  /** Left out where nobody reads a log. */
  logger?: Pick<Logger, "warn">;
}): ProcessTenancy {
  const { database, sealers, onJobs, onRestored, logger = { warn() {} } } = options;
  const { restoreJournal = NO_JOURNAL } = options;
  const noticeSwitch = async () => {
    const restored = await pauseAfterRestore(database.pool, { asked: false });
    if (restored.because) onRestored?.(restored);
    onJobs();
  };
  const despiteSwitch = async <T>(transaction: () => Promise<T>): Promise<T> => {
    for (let tries = 1; ; tries++) {
      try {
        return await transaction();
      } catch (error) {
        if (tries === MAX_TRIES || !(error instanceof DatabaseSwitched)) throw error;
        await noticeSwitch();
      }
    }
  };
  /**
   * Tells a transaction that was refused for its database. Keys that were read from a server that is lost are forgotten: one
   * that was made last there is not in this one, and what is sealed with it would be lost with this process. Whichever process
   * noticed the switch first, each has to forget its own.
   */
  const despiteFormerKeys = async <T>(
    shop: ShopDomain,
    sealer: ShopSealer,
    transaction: Promise<T>,
  ): Promise<T> => {
    try {
      return await transaction;
    } catch (error) {
      const refusal = refusalOf(error)?.code;
      if (refusal !== ANOTHER_DATABASE && refusal !== FORMER_KEYS) throw error;
      if (refusal === FORMER_KEYS) sealers.forgetFormer(shop, sealer);
      throw new DatabaseSwitched();
    }
  };
  const tenancy: ProcessTenancy = {
    noticeSwitch,
    async tryTenant() {
      const tenantKey = await database.tenantKey();
      const attempt = async (tx: Transaction) => {
        // As transactions of shops are entered, but for their keys.
        await enterWithKeys(tx, {
          shop: INSTALLATION,
          tenantKey,
          hasFormerKeys: Prisma.sql`false`,
        });
        const [row] = await tx.$queryRaw<{ takesWrites: boolean; identity: string | null }[]>`
          SELECT count(*)::int AS seen, NOT current_setting('transaction_read_only')::boolean AS "takesWrites",
                 live_identity() AS identity
          FROM shops`;
        if (!row?.takesWrites) throw new DatabaseNotWritable();
        await requireSameDatabase(row.identity, database.pool);
      };
      // A migration that makes a policy anew may end it as the victim of a deadlock.
      await despiteDeadlocks(() => database.transactions.run(attempt));
    },
    inInstallation: async (work) => {
      const tenantKey = await database.tenantKey();
      return despiteSwitch(() =>
        database.transactions.run(async (tx) => {
          await enterShop(tx, INSTALLATION, tenantKey);
          const scope = { tx, shop: INSTALLATION };
          return work({
            accessLog: accessLogRepository(scope),
            accessSeals: accessSealRepository(scope),
          });
        }),
      );
    },
    async inKnownShop(shop, work) {
      return (await sealers.knows(shop)) ? tenancy.inShop(shop, work) : null;
    },
    async inShop(shop, work) {
      let queuedJobs = false;
      const { tenantRows } = await loadRows();
      const transaction = async () => {
        const sealer = await sealers.forShop(shop);
        const tenantKey = await database.tenantKey();
        let keys: SubjectKeys | undefined;
        const inTransaction = database.transactions.run(async (tx) => {
          const hasFormerKeys = Prisma.sql`${Prisma.raw(SWITCHED_AT)} IS DISTINCT FROM ${sealer.switchedAt}`;
          await enterWithKeys(tx, { shop, tenantKey, hasFormerKeys });
          keys = sealers.subjects(shop, sealer, (sql, values) =>
            tx.$queryRawUnsafe(sql, ...values),
          );
          const scope: Scope = {
            ...{ tx, shop, sealer, keys, restoreJournal },
            tolerate: (at) => tolerate(logger, at),
          };
          return work({
            shop,
            ...tenantRows(scope),
            jobs: outbox(scope, () => {
              queuedJobs = true;
            }),
          });
        });
        const value = await despiteFormerKeys(shop, sealer, inTransaction);
        keys?.committed();
        return value;
      };
      const value = await despiteSwitch(() =>
        despiteReplacedKeys(
          () => sealers.forget(shop),
          () => despiteDeadlocks(transaction),
        ),
      );
      if (queuedJobs) onJobs();
      return value;
    },
  };
  return tenancy;
}

/**
 * Takes the tenant's role for one shop, with a proof that this process may (prisma/access.sql). In the same statement the
 * database says whether it is the one that was noted: behind a pooler, a connection that was looked at long ago may lead to
 * another server by now.
 */
async function enterShop(
  tx: Transaction,
  shop: ShopDomain | typeof INSTALLATION,
  tenantKey: TenantKey,
): Promise<void> {
  const [row] = await tx.$queryRaw<{ isSwitched: boolean }[]>`
    SELECT enter_shop(${shop}, ${shopProof(tenantKey, shop)}), set_config('role', 'pathway_tenant', true),
           EXISTS (SELECT FROM database_identity WHERE identity IS DISTINCT FROM live_identity()) AS "isSwitched"`;
  if (row?.isSwitched !== false) throw new DatabaseSwitched();
}

/** PostgreSQL's codes when `enterWithKeys` refuses (prisma/migrations, refuse_another_database). */
const ANOTHER_DATABASE = "PW001";
const FORMER_KEYS = "PW002";

/**
 * The same without a journey of its own: it goes out with the first statement that is asked for, and refuses by failing, which
 * fails that statement before anything is read or written. Keys that were read before the last switch are refused too.
 */
const enterWithKeys = (
  tx: Transaction,
  {
    shop,
    tenantKey,
    hasFormerKeys,
  }: { shop: ShopDomain | typeof INSTALLATION; tenantKey: TenantKey; hasFormerKeys: Prisma.Sql },
): Promise<void> =>
  unanswered(
    tx,
    Prisma.sql`
    SELECT enter_shop(${shop}, ${shopProof(tenantKey, shop)}), set_config('role', 'pathway_tenant', true),
           refuse_another_database(
             EXISTS (SELECT FROM database_identity WHERE identity IS DISTINCT FROM live_identity()),
             ${hasFormerKeys})`,
  );
