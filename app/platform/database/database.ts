import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { type Prisma, PrismaClient } from "../../generated/prisma/client.ts";
import { CONNECTION_LIMITS, LimitedClient } from "./limited-client.ts";

export type Transaction = Prisma.TransactionClient;

/** One pool of connections, for Prisma and for the few statements that are written by hand. */
export interface Database {
  pool: pg.Pool;
  prisma: PrismaClient;
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
export function openPool({ url, poolSize, onError, onConnect }: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    ...CONNECTION_LIMITS,
    Client: LimitedClient,
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

export function openDatabase(options: PoolOptions): Database {
  const pool = openPool(options);
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool) });
  return {
    pool,
    prisma,
    async close() {
      await prisma.$disconnect();
      await pool.end();
    },
  };
}
