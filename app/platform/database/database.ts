import pg from "pg";
import { enterProcess, readStoredTenantKey, type TenantKey } from "../encryption/tenant-key.ts";
import type { ConnectionShares } from "./connection-shares.ts";
import { CONNECTION_LIMITS } from "./limited-client.ts";
import { PipelinedClient, PooledPipelinedClient } from "./pipelined-client.ts";
import { SETTLE_SESSION } from "./session.ts";
import { createStatementNames } from "./statement-names.ts";
import { openTransactions, type Transactions } from "./transactions.ts";

export interface Database {
  /** Connections of the process: for statements that concern all shops, or none. */
  pool: pg.Pool;
  /** Transactions of one shop, on connections that can do nothing without `enter_shop`. */
  transactions: Transactions;
  /** The connections of `transactions`. */
  tenantPool: pg.Pool;
  /** What proves for which shop a transaction is. */
  tenantKey: () => Promise<TenantKey>;
  close(): Promise<void>;
}

interface PoolOptions {
  url: string;
  poolSize: number;
  onError: (error: unknown) => void;
  /** Looks at each new connection before it is used; one that it refuses is closed. */
  onConnect?: (client: pg.ClientBase) => Promise<void>;
}

/** A pool whose connections have limits, and whose broken ones are replaced. It opens none before it is used. */
function openPool(
  { url, poolSize, onError, onConnect }: PoolOptions,
  Client = PipelinedClient,
): pg.Pool {
  const pool = new pg.Pool({
    ...CONNECTION_LIMITS,
    Client,
    // What is asked for together goes out together.
    pipeline: true,
    connectionString: url,
    max: poolSize,
    ...(onConnect ? { onConnect } : {}),
  });
  // A connection that breaks, idle or in use, fails its query and is replaced. Without listeners on both the
  // connection and the pool it would end the process.
  pool.on("connect", (client) => client.on("error", onError));
  pool.on("error", onError);
  return pool;
}

/** A pool whose connections are the process's own (`enter_process`). */
export function openProcessPool({
  onConnect,
  tenantKey,
  ...options
}: PoolOptions & { tenantKey: TenantKey }): pg.Pool {
  return openPool({
    ...options,
    async onConnect(client) {
      await Promise.all([client.query(SETTLE_SESSION), enterProcess(client, tenantKey)]);
      await onConnect?.(client);
    },
  });
}

/**
 * Opens a database as one of its processes: `processUrl` and `url` are logins with few rights, and the tenant key is what
 * they prove themselves with. Two pools, because a connection that may see all shops must never carry a tenant's statements.
 */
export function openProcessDatabase({
  tenantKey,
  processUrl,
  connections,
  isPooled = false,
  ...options
}: Omit<PoolOptions, "poolSize"> & {
  processUrl: string;
  tenantKey: TenantKey;
  connections: Pick<ConnectionShares, "process" | "tenants">;
  /** Whether `url` leads to a proxy that gives each transaction any connection: what one has prepared another has not. */
  isPooled?: boolean;
}): Database {
  const pool = openProcessPool({
    ...{ ...options, tenantKey },
    ...{ url: processUrl, poolSize: connections.process },
  });
  const { url, onError } = options;
  const tenants = { url, onError, poolSize: connections.tenants };
  const tenantPool = isPooled
    ? openPool(tenants, PooledPipelinedClient)
    : openPool({ ...tenants, onConnect: settleSession });
  const transactions = openTransactions(
    tenantPool,
    isPooled ? {} : { nameOf: createStatementNames() },
  );
  return {
    ...{ pool, transactions, tenantPool },
    tenantKey: async () => tenantKey,
    async close() {
      await transactions.close();
      await tenantPool.end();
      await pool.end();
    },
  };
}

const settleSession = async (client: pg.ClientBase): Promise<void> => {
  await client.query(SETTLE_SESSION);
};

/** Opens a database as its owner, for a command or a test: one pool for everything, and the tenant key from the database. */
export function openDatabase(options: PoolOptions): Database {
  const pool = openPool(options);
  const transactions = openTransactions(pool);
  let key: Promise<TenantKey> | undefined;
  const tenantKey = () => {
    key ??= readStoredTenantKey(pool).catch((error: unknown) => {
      key = undefined;
      throw error;
    });
    return key;
  };
  return {
    ...{ pool, transactions, tenantKey, tenantPool: pool },
    async close() {
      await transactions.close();
      await pool.end();
    },
  };
}
