import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { z } from "zod";
import {
  patients,
  SHIPPING_ADDRESS,
  startWorld,
  type TestWorld,
} from "../../test/harness/index.ts";
import { cpuTimeMs } from "../cpu-time.ts";
import type { Figures } from "../figure.ts";
import { rounded } from "./numbers.ts";

const WARM_UP = 20;
const AT_ONCE = 2;
const GOALS = { app: 60, database: 40, bytes: 20_000, wal: 90_000 };

const count = z.coerce.number().int().positive();
const options = z.object({ orders: count.default(100) });

/**
 * P16 and P17: what an order of one unit costs. Processor time of the app and of PostgreSQL from its webhook to its form;
 * bytes that stay in PostgreSQL, without documents, and bytes of WAL, from its webhook to its report. Each is the
 * difference over many orders, after some that warm the processes up.
 */
export async function measureOrderCost(): Promise<Figures> {
  const { values } = parseArgs({
    args: process.argv.slice(2),
    options: { orders: { type: "string" } },
    strict: false,
  });
  const { orders } = options.parse(values);
  await using world = await startWorld({
    env: { PATHWAY_SYNC_INTERVAL_MS: "3600000", LOG_LEVEL: "warn" },
  });
  await toForms(world, WARM_UP);
  await toReports(world);
  await settled(world);

  const before = { cpu: await processorTime(world), ...(await storage(world)) };
  await toForms(world, orders);
  await settled(world);
  const cpu = await processorTime(world);
  await toReports(world);
  await settled(world);
  const after = await storage(world);

  const perOrder = {
    app: (cpu.app - before.cpu.app) / orders,
    database: (cpu.database - before.cpu.database) / orders,
    bytes: total(after.tables) / orders - total(before.tables) / orders,
    wal: (after.wal - before.wal) / orders,
  };
  for (const [name, bytes] of after.tables) {
    const grown = (bytes - (before.tables.get(name) ?? 0)) / orders;
    if (grown >= 500) console.log(`${name}: ${Math.round(grown)} bytes per order`);
  }
  const figures = Object.entries(perOrder).map(([name, value]) => [name, rounded(value, 1)]);
  const rounds = [{ orders, ...Object.fromEntries(figures) }];
  const figure = (name: keyof typeof GOALS, unit: string) => ({
    value: rounded(perOrder[name], 1),
    unit,
    goal: `≤ ${GOALS[name]}`,
    met: perOrder[name] <= GOALS[name],
    rounds,
  });
  return {
    "P16.app": figure("app", "ms of the app's processor time per order"),
    "P16.database": figure("database", "ms of PostgreSQL's processor time per order"),
    "P17.bytes": figure("bytes", "bytes that an order leaves in PostgreSQL, without documents"),
    "P17.wal": figure("wal", "bytes of WAL per order"),
  };
}

/** Pays orders, gives the details of each as soon as they are asked for, and waits until every form is there. */
async function toForms(world: TestWorld, orders: number): Promise<void> {
  const variantId = world.line.products.find(
    ({ mapsTo }) => mapsTo.tests && !mapsTo.bundleId && !mapsTo.medicareTests,
  )?.variantId;
  if (!variantId) throw new Error("no product is mapped to tests");
  const email = `cost-${crypto.randomUUID()}@example.com`;
  const { id } = await world.store.createCustomer({ email, firstName: "Kim", lastName: "Lee" });
  const buyer = world.customer(id);
  const [patient] = patients("cost");
  let left = orders;
  const shop = async () => {
    while (left-- > 0) {
      const order = await world.store.createOrder({
        customerId: id,
        lines: [{ variantId, quantity: 1 }],
        shippingAddress: SHIPPING_ADDRESS,
      });
      await buyer.giveDetails(await requestOf(world, order.id), patient);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, shop));
  await until(async () => (await waitingForForm(world)) === 0);
}

async function requestOf({ sql }: TestWorld, orderId: string): Promise<string> {
  const row = z.object({ id: z.string() });
  const query = "SELECT id FROM referral_requests WHERE order_id = $1";
  let found: z.infer<typeof row>[] = [];
  await until(async () => {
    found = await sql.rows(row, query, [orderId]);
    return found.length > 0;
  });
  return found[0]?.id ?? "";
}

const waitingForForm = ({ sql }: TestWorld) =>
  sql.count(
    `SELECT count(*) FROM referral_requests r WHERE NOT EXISTS (
       SELECT FROM referrals f JOIN documents d ON d.shop = f.shop AND d.source_uuid = f.uuid
       WHERE f.shop = r.shop AND f.request_id = r.id)`,
  );

/** Has the service send results for every referral that has none, and waits until each is there with its report. */
async function toReports(world: TestWorld): Promise<void> {
  const row = z.object({ uuid: z.string() });
  const open = await world.sql.rows(row, "SELECT uuid FROM referrals WHERE result_uuid IS NULL");
  for (const { uuid } of open) await world.service.generateResults(uuid);
  await until(
    async () =>
      (await world.sql.count(
        "SELECT count(*) FROM referrals f WHERE NOT EXISTS (SELECT FROM results r WHERE r.shop = f.shop AND r.uuid = f.result_uuid)",
      )) === 0,
  );
}

async function processorTime(world: TestWorld): Promise<{ app: number; database: number }> {
  const { app, workers, database } = await world.processes();
  return {
    app: [app, ...workers].reduce((sum, pid) => sum + cpuTimeMs(pid), 0),
    database: database === null ? Number.NaN : cpuTimeMs(database),
  };
}

const tableSize = z.object({ name: z.string(), bytes: z.coerce.number() });
const writtenLog = z.object({ bytes: z.coerce.number() });

const total = (tables: ReadonlyMap<string, number>) =>
  [...tables.values()].reduce((sum, bytes) => sum + bytes, 0);

/** The bytes of each table with its indexes but those of documents' bodies, and how much WAL was ever written. */
async function storage({ sql }: TestWorld): Promise<{ tables: Map<string, number>; wal: number }> {
  await sql.rows(z.object({}), "VACUUM");
  const [log] = await sql.rows(
    writtenLog,
    "SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') AS bytes",
  );
  const sizes = await sql.rows(
    tableSize,
    `SELECT c.relname AS name, pg_total_relation_size(c.oid) AS bytes
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE c.relkind = 'r' AND n.nspname IN ('public', 'pgboss') AND c.relname <> 'document_bodies'
     ORDER BY bytes DESC`,
  );
  return {
    tables: new Map(sizes.map(({ name, bytes }) => [name, bytes])),
    wal: log?.bytes ?? Number.NaN,
  };
}

/** Until nothing is to be done any more: no message, and no work that is due soon. */
const settled = (world: TestWorld) =>
  until(
    async () =>
      (await world.sql.count(
        `SELECT (SELECT count(*) FROM inbox WHERE state IN ('received', 'queued')) + (SELECT count(*) FROM outbox)
              + (SELECT count(*) FROM pgboss.job WHERE state < 'completed' AND start_after < now() + interval '20 s'
                 AND name NOT LIKE '\\_\\_pgboss%' AND name <> 'resolve-ambiguous')`,
      )) === 0,
  );

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 1_200; tries++) {
    if (await isSo()) return;
    await delay(250);
  }
  throw new Error("the world did not get there within five minutes");
}
