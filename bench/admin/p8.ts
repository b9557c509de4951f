import pg from "pg";
import { openDatabase } from "../../app/db/database.ts";
import { createSealers } from "../../app/db/sealer.ts";
import { createTenancy } from "../../app/db/tenancy.ts";
import { shopDomain } from "../../app/domain/ids.ts";
import {
  LANES,
  ORDER_FILTERS,
  type OrderQuery,
} from "../../app/domain/overview/order-selection.ts";
import { readSelection } from "../../app/domain/overview/selection-text.ts";
import { readMasterKeys } from "../../app/lib/master-keys.ts";
import { USER_AGENT } from "../../sandbox/store/web/testing/browser.ts";
import type { TestWorld } from "../../test/harness/index.ts";
import { type Figures, median } from "../figure.ts";
import { table } from "../table.ts";
import { checkPlans } from "./plans.ts";
import { statementTimes } from "./statement-times.ts";

const ROUNDS = 40;
const PAGES = 60;
const DEPTHS = { first: null, middle: 0.5, deep: 0.99 } as const;

/** Every selection that the index offers: each status, each kind, both together, days, and searches. */
const SELECTIONS = [
  ...ORDER_FILTERS.flatMap((status) => ["", ...LANES].map((lane) => textOf({ status, lane }))),
  "from=2025-12-01&until=2026-09-30",
  "status=awaiting_details&from=2025-12-01&until=2026-09-30",
  "status=attention&lane=staging&from=2025-12-01",
  "q=1",
  "q=110",
  "q=%23110001",
];

/** P8: pages of the index of a million orders, by the app's own repository and by its pages. */
export async function measureIndex(world: TestWorld, databaseUrl: string): Promise<Figures> {
  const shop = shopDomain(world.line.store.shop);
  if (!shop) throw new Error("the world has no shop");
  const times = statementTimes();
  const database = openDatabase({ url: databaseUrl, poolSize: 2, onError: () => {} });
  // The lists hold nothing sealed, so any key will do; the shop's own is the app's.
  const forShop = async () => ({}) as never;
  const sealers = { ...createSealers(database.pool, readMasterKeys(RANDOM_KEY)), forShop };
  const tenancy = createTenancy({ database, sealers, onJobs: () => {} });
  const edges = await edgesOf(databaseUrl, shop);
  const read = (query: OrderQuery) => tenancy.inShop(shop, (t) => t.overview.orderPage(query));

  const rows: Record<string, number | string>[] = [];
  const all: number[] = [];
  const ratios: number[] = [];
  try {
    for (const text of SELECTIONS) {
      const samples: Record<string, number[]> = { first: [], middle: [], deep: [] };
      for (let round = -3; round < ROUNDS; round++)
        for (const [depth, fraction] of Object.entries(DEPTHS)) {
          const start = await startOf(text, fraction, edges, read);
          times.reset();
          await read({ ...readSelection(text), start, size: 25 });
          if (round >= 0) samples[depth]?.push(times.sumMs());
        }
      const { first = [], middle = [], deep = [] } = samples;
      all.push(...first, ...middle, ...deep);
      const ratio = median(deep) / median(first);
      ratios.push(ratio);
      rows.push({
        selection: text || "(every order)",
        "first ms": round2(median(first)),
        "middle ms": round2(median(middle)),
        "deep ms": round2(median(deep)),
        "p99 ms": round2(quantile([...first, ...middle, ...deep], 0.99)),
        "deep/first": round2(ratio),
      });
    }
    console.log(table(rows));
    await checkPlans(databaseUrl, shop);
  } finally {
    times.stop();
    await database.close();
  }

  const bytes = await firstBytes(world, edges);
  console.log(
    `first byte: p50 ${round2(quantile(bytes, 0.5))} ms, p95 ${round2(quantile(bytes, 0.95))} ms`,
  );
  const p99 = quantile(all, 0.99);
  const p95 = quantile(bytes, 0.95);
  const deep = median(ratios);
  const figure = (value: number, unit: string, limit: number) => ({
    value: round2(value),
    unit,
    goal: `≤ ${limit}`,
    met: value <= limit,
    rounds: [],
  });
  return {
    "P8.database_p99": figure(p99, "ms", 5),
    "P8.first_byte_p95": figure(p95, "ms", 60),
    "P8.deep_to_first": figure(deep, "×", 1.2),
    "P8.deep_to_first_worst": figure(Math.max(...ratios), "×", 1.2),
  };
}

const RANDOM_KEY = `bench:${Buffer.alloc(32, 7).toString("base64")}`;

function textOf(fields: { status: string; lane: string }): string {
  const query = new URLSearchParams();
  if (fields.status !== "all") query.set("status", fields.status);
  if (fields.lane) query.set("lane", fields.lane);
  return query.toString();
}

interface Edges {
  /** The moment below which a share of all payments lies, in microseconds, and any order's number. */
  at(fraction: number): string;
  keyAt(prefix: string, fraction: number): string;
}

async function edgesOf(databaseUrl: string, shop: string): Promise<Edges> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ first: string; last: string }>(
    `SELECT (extract(epoch FROM min(paid_at)) * 1e6)::bigint::text AS first,
            (extract(epoch FROM max(paid_at)) * 1e6)::bigint::text AS last
     FROM orders WHERE shop = $1 AND name LIKE '#1_____%'`,
    [shop],
  );
  await client.end();
  const first = Number(rows[0]?.first);
  const last = Number(rows[0]?.last);
  return {
    at: (fraction) => `${Math.round(last - (last - first) * fraction)}-1`,
    keyAt: (prefix, fraction) => {
      const rest = String(Math.round(fraction * 10 ** (6 - prefix.length))).padStart(
        6 - prefix.length,
        "0",
      );
      return `1~${prefix}${rest}`;
    },
  };
}

async function startOf(
  text: string,
  fraction: number | null,
  edges: Edges,
  _read: unknown,
): Promise<OrderQuery["start"]> {
  if (fraction === null) return null;
  const { search, paidFrom } = readSelection(text);
  if (search) return search.length >= 6 ? null : { after: edges.keyAt(search, fraction) };
  // Of the days that are asked for.
  return { after: edges.at(paidFrom ? 0.3 + fraction * 0.3 : fraction) };
}

/** Whole pages over HTTP, as the admin loads them: from the question to the first byte of the answer. */
async function firstBytes(world: TestWorld, edges: Edges): Promise<number[]> {
  const token = await world.store.adminToken();
  const samples: number[] = [];
  for (let round = -5; round < PAGES; round++) {
    const text = SELECTIONS[Math.abs(round * 7) % SELECTIONS.length] ?? "";
    const { search } = readSelection(text);
    const after = search ? "" : `&after=${edges.at(((round + 5) * 0.37) % 1)}`;
    const startedAt = performance.now();
    const answer = await fetch(`${world.line.app_url}/app/referrals?${text}${after}`, {
      headers: { authorization: `Bearer ${token}`, "user-agent": USER_AGENT },
    });
    if (!answer.ok || !answer.body) throw new Error(`the index answered ${answer.status}`);
    const reader = answer.body.getReader();
    await reader.read();
    if (round >= 0) samples.push(performance.now() - startedAt);
    while (!(await reader.read()).done);
  }
  return samples;
}

function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

const round2 = (value: number) => Math.round(value * 100) / 100;
