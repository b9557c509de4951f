import pg from "pg";
import type { ShopDomain } from "../../app/modules/kernel/ids.ts";
import type { OrderQuery } from "../../app/modules/reports/order-selection.ts";
import { foundOrders } from "../../app/modules/reports/postgres/overview/order-search.ts";
import { selectedOrders } from "../../app/modules/reports/postgres/overview/order-selection.ts";
import { ordersByWords } from "../../app/modules/reports/postgres/overview/order-words.ts";
import { hashWord } from "./fill-shop.ts";

/** Rows that a page may have PostgreSQL look at; a walk past unwanted rows shows as more. */
const MAX_ROWS = 400;
/** Blocks of tables and indexes that it may touch; a walk that begins too early passes its rows without counting them. */
const MAX_BLOCKS = 400;

interface Plan {
  "Node Type": string;
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Filter"?: number;
  "Shared Hit Blocks": number;
  "Shared Read Blocks": number;
  Plans?: Plan[];
}

/** Asks PostgreSQL how it reads each page, and throws when a list is sorted whole, scanned or walked past rows. */
export async function checkPlans(
  databaseUrl: string,
  shop: ShopDomain,
  pages: { label: string; query: OrderQuery }[],
): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const faults: string[] = [];
  try {
    for (const { label, query } of pages) {
      const sql = listOf(shop, query);
      const { rows } = await client.query<{ "QUERY PLAN": { Plan: Plan }[] }>(
        `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${sql.text}`,
        sql.values,
      );
      const plan = rows[0]?.["QUERY PLAN"][0]?.Plan;
      const nodes = plan ? flatten(plan) : [];
      const seen = nodes.reduce(
        (sum, node) =>
          sum +
          (node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0)) * node["Actual Loops"],
        0,
      );
      const isScan = nodes.some((node) => node["Node Type"] === "Seq Scan");
      const blocks = plan ? plan["Shared Hit Blocks"] + plan["Shared Read Blocks"] : 0;
      if (isScan || seen > MAX_ROWS || blocks > MAX_BLOCKS)
        faults.push(
          `${label}: ${seen} rows, ${blocks} blocks through ${nodes.map((n) => n["Node Type"]).join(", ")}`,
        );
    }
  } finally {
    await client.end();
  }
  if (faults.length > 0)
    throw new Error(`Lists that PostgreSQL reads badly:\n${faults.join("\n")}`);
  console.log("plans: every page is a walk along an index, begun where the page begins");
}

/** The list as the app reads it: the rarest word of a search first, and a whole name as its pair. */
function listOf(shop: ShopDomain, query: OrderQuery) {
  const { search } = query;
  if (!search) return selectedOrders(shop, query);
  if (/^[0-9]/.test(search)) return foundOrders(shop, query);
  const words = search.split(" ");
  const isName = words.every((word) => /^(first|last)/.test(word)) && words.length > 1;
  const needed = isName ? [words.toSorted().join(" ")] : words;
  const hashes = needed.map((word) => hashWord(word).toString("hex", 0, 16));
  return ordersByWords(shop, hashes, query);
}

const flatten = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(flatten)];
