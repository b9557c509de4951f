import { tmpdir } from "node:os";
import pg from "pg";
import { type ShopDomain, shopDomain } from "../../app/modules/kernel/ids.ts";
import {
  ORDER_FILTERS,
  ORDER_MODES,
  type OrderQuery,
  type OrderSelection,
} from "../../app/modules/reports/order-selection.ts";
import { readSelection } from "../../app/modules/reports/selection-text.ts";
import { openDatabase } from "../../app/platform/database/database.ts";
import { createEpochs } from "../../app/platform/encryption/epochs.ts";
import { createKeyFolder } from "../../app/platform/encryption/key-folder.ts";
import { readMasterKeys } from "../../app/platform/encryption/master-keys.ts";
import { createSealers } from "../../app/platform/encryption/sealers.ts";
import { createTenancy } from "../../app/tenancy.ts";
import { USER_AGENT } from "../../sandbox/store/web/testing/browser.ts";
import type { TestWorld } from "../../test/harness/index.ts";
import { type Figures, median } from "../figure.ts";
import { table } from "../table.ts";
import { databaseMeter, timed } from "./database-times.ts";
import { hashWord } from "./fill-shop.ts";
import { checkPlans } from "./plans.ts";

const ROUNDS = 40;
const PAGES = 60;
const DEPTHS = { first: null, middle: 0.5, deep: 0.99 } as const;

/** Every selection that the index offers: each status, each kind, both together, days, and searches. */
const SELECTIONS = [
  ...ORDER_FILTERS.flatMap((status) =>
    ["", ...ORDER_MODES].map((orderMode) => textOf({ status, orderMode })),
  ),
  "from=2025-12-01&until=2026-09-30",
  "status=awaiting_details&from=2025-12-01&until=2026-09-30",
  "status=attention&mode=staging&from=2025-12-01",
  "q=1",
  "q=110",
  "q=%23110001",
  "sort=oldest",
  "status=attention&sort=oldest",
];

/** Searches by a word of all orders, of some, of a few, by two words, and by a whole name. */
const WORD_SEARCHES = ["q=iron", "q=first7", "q=last77", "q=first7+iron", "q=last77+first37"];

export interface BigShop {
  databaseUrl: string;
  orders: number;
}

/** Every selection at every depth. */
const PAGES_READ = [...SELECTIONS, ...WORD_SEARCHES].flatMap((text) =>
  (["first", "middle", "deep"] as const).map((depth) => ({ text, depth })),
);

/** P8: pages of the index of a million orders, by the app's own repository and by its pages. */
export async function measureIndex(world: TestWorld, big: BigShop): Promise<Figures> {
  const { databaseUrl } = big;
  const shop = shopDomain(world.line.store.shop);
  if (!shop) throw new Error("the world has no shop");
  const edges = await edgesOf(databaseUrl, shop);
  const samples = await readPages(shop, big, edges);
  const rows: Record<string, number | string>[] = [];
  for (const text of [...SELECTIONS, ...WORD_SEARCHES]) {
    const at = (depth: string) =>
      samples.flatMap((one) => (one.text === text && one.depth === depth ? [one.ms] : []));
    const [first, middle, deep] = [at("first"), at("middle"), at("deep")];
    rows.push({
      selection: text || "(every order)",
      "first ms": round2(median(first)),
      "middle ms": round2(median(middle)),
      "deep ms": round2(median(deep)),
      "p99 ms": round2(quantile([...first, ...middle, ...deep], 0.99)),
      "deep/first": round2(median(deep) / median(first)),
    });
  }
  console.log(table(rows));
  const pages = PAGES_READ.map(({ text, depth }) => ({
    label: `${text || "every order"}, ${depth}`,
    query: queryOf(text, depth, edges),
  }));
  await checkPlans(databaseUrl, shop, pages);

  const bytes = await firstBytes(world, edges);
  console.log(
    `first byte: p50 ${round2(quantile(bytes, 0.5))} ms, p95 ${round2(quantile(bytes, 0.95))} ms`,
  );
  const ratios = rows.map((row) => Number(row["deep/first"]));
  const p99 = quantile(
    samples.map(({ ms }) => ms),
    0.99,
  );
  const p95 = quantile(bytes, 0.95);
  const deep = median(ratios);
  const figure = (value: number, unit: string, limit: number) => ({
    value: round2(value),
    unit,
    goal: `≤ ${limit}`,
    met: value <= limit,
    rounds: [{ orders: big.orders, selections: PAGES_READ.length / 3, rounds: ROUNDS }],
  });
  return {
    "P8.database_p99": figure(p99, "ms", 5),
    "P8.first_byte_p95": figure(p95, "ms", 60),
    "P8.deep_to_first": figure(deep, "×", 1.2),
    "P8.deep_to_first_worst": figure(Math.max(...ratios), "×", 1.2),
  };
}

interface Sample {
  text: string;
  depth: string;
  ms: number;
}

/** Every selection at every depth, by turns, and what each page took the database. */
async function readPages(
  shop: ShopDomain,
  { databaseUrl }: BigShop,
  edges: Edges,
): Promise<Sample[]> {
  const database = openDatabase({ url: timed(databaseUrl), poolSize: 1, onError: () => {} });
  // The lists hold nothing sealed, so any key will do; the shop's own is the app's.
  const fingerprint = (_: unknown, word: string) => hashWord(word);
  const forShop = async () => ({ switchedAt: null, fingerprint }) as never;
  const masterKeys = readMasterKeys(RANDOM_KEY);
  const epochs = createEpochs(createKeyFolder(tmpdir()), masterKeys);
  const sealers = { ...createSealers(database.pool, masterKeys, epochs), forShop };
  const tenancy = createTenancy({ database, sealers, onJobs: () => {} });
  const meter = databaseMeter(database.pool);
  const samples: Sample[] = [];
  try {
    for (let round = -3; round < ROUNDS; round++)
      for (const { text, depth } of PAGES_READ) {
        const query = queryOf(text, depth, edges);
        meter.reset();
        await tenancy.inShop(shop, (tenant) => tenant.overview.orderPage(query));
        const ms = meter.sumMs();
        if (ms === 0) throw new Error("the database does not tell how long its statements take");
        if (round >= 0) samples.push({ text, depth, ms });
      }
    return samples;
  } finally {
    await database.close();
  }
}

const RANDOM_KEY = `bench:${Buffer.alloc(32, 7).toString("base64")}`;

function textOf(fields: { status: string; orderMode: string }): string {
  const query = new URLSearchParams();
  if (fields.status !== "all") query.set("status", fields.status);
  if (fields.orderMode) query.set("mode", fields.orderMode);
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

function queryOf(text: string, depth: keyof typeof DEPTHS, edges: Edges): OrderQuery {
  const selection = readSelection(text);
  return { ...selection, start: startOf(selection, DEPTHS[depth], edges), size: 25 };
}

function startOf(
  { search, paidFrom }: OrderSelection,
  fraction: number | null,
  edges: Edges,
): OrderQuery["start"] {
  if (fraction === null) return null;
  if (/^[0-9]/.test(search))
    return search.length >= 6 ? null : { after: edges.keyAt(search, fraction) };
  // The point within the days that are asked for.
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
