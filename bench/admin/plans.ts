import pg from "pg";
import { foundOrders } from "../../app/db/repositories/overview/order-search.ts";
import { selectedOrders } from "../../app/db/repositories/overview/order-selection.ts";
import type { ShopDomain } from "../../app/domain/ids.ts";
import { LANES, ORDER_FILTERS } from "../../app/domain/overview/order-selection.ts";
import { readSelection } from "../../app/domain/overview/selection-text.ts";

/** Rows that a page may have PostgreSQL look at; a walk past unwanted rows shows as more. */
const MOST_ROWS = 400;

interface Plan {
  "Node Type": string;
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Filter"?: number;
  Plans?: Plan[];
}

/** Asks PostgreSQL how it would read every list, and throws when one is sorted whole, scanned or walked past rows. */
export async function checkPlans(databaseUrl: string, shop: ShopDomain): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const faults: string[] = [];
  try {
    const texts = ORDER_FILTERS.flatMap((status) =>
      ["", ...LANES].map((lane) => `status=${status}&lane=${lane}`),
    );
    for (const text of [...texts, "q=1", "q=1100"]) {
      const query = { ...readSelection(text), start: null, size: 25 };
      const sql = query.search ? foundOrders(shop, query) : selectedOrders(shop, query);
      const { rows } = await client.query<{ "QUERY PLAN": { Plan: Plan }[] }>(
        `EXPLAIN (ANALYZE, FORMAT JSON) ${sql.text}`,
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
      if (isScan || seen > MOST_ROWS)
        faults.push(`${text}: ${seen} rows through ${nodes.map((n) => n["Node Type"]).join(", ")}`);
    }
  } finally {
    await client.end();
  }
  if (faults.length > 0)
    throw new Error(`Lists that PostgreSQL reads badly:\n${faults.join("\n")}`);
  console.log("plans: every list is a walk along an index");
}

const flatten = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(flatten)];
