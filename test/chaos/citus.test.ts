import pg from "pg";
import { expect, test } from "vitest";
import { z } from "zod";
import { readStoredTenantKey, shopProof } from "../../app/platform/encryption/tenant-key.ts";
import { readArguments } from "./arguments.ts";
import { ask, distribute, findCitus, startCitus } from "./citus-cluster.ts";
import { toText } from "./report.ts";
import { runChaos } from "./run-chaos.ts";
import { isSound } from "./verdict.ts";

const WITHOUT = "no PostgreSQL with Citus is here (ops/citus/distribute.sql)";

/** The long form is `npm run chaos -- --kills 0 --orders 200 --database-url …` on a database that was spread. */
test("orders are handled as on one server where shops are spread over two nodes", async ({
  skip,
}) => {
  const native = findCitus();
  if (!native) return skip(WITHOUT);
  await using cluster = await startCitus(native);
  const size = ["--orders", "12", "--kills", "0", "--workers", "1", "--database-seconds", "0"];
  const options = readArguments([...size, "--seed", "1", "--database-url", cluster.url]);
  const said: string[] = [];
  const report = await runChaos(options, (line) => said.push(line));
  expect(isSound(report.verdict), `${said.join("\n")}\n${toText(report)}`).toBe(true);
  expect(report.verdict.units).toBeGreaterThan(0);
  // Its rows are on a node, and a migration that is run again leaves everything as it is.
  const stored = await ask(cluster.url, "SELECT 1 FROM referral_requests LIMIT 1");
  expect(stored).toHaveLength(1);
  distribute(cluster.url, native);
}, 600_000);

test("a node shows a transaction the shop that it proved, and no other", async ({ skip }) => {
  const native = findCitus();
  if (!native) return skip(WITHOUT);
  await using cluster = await startCitus(native);
  const [own, other] = ["own.myshopify.com", "other.myshopify.com"];
  for (const shop of [own, other])
    await ask(cluster.url, `INSERT INTO store_readings (shop) VALUES ('${shop}')`);
  const owner = new pg.Client(cluster.url);
  await owner.connect();
  const key = await readStoredTenantKey(owner);
  await owner.end();
  const url = new URL(cluster.url);
  url.username = "pathway_web";
  const client = new pg.Client(url.href);
  await client.connect();
  const seen = async () =>
    z
      .array(z.object({ shop: z.string() }))
      .parse((await client.query("SELECT shop FROM store_readings ORDER BY 1")).rows)
      .map(({ shop }) => shop);
  const enter = (shop: string) =>
    client.query("SELECT enter_shop($1, $2), set_config('role', 'pathway_tenant', true)", [
      shop,
      shopProof(key, shop),
    ]);
  await client.query("BEGIN");
  await enter(own);
  expect(await seen()).toEqual([own]);
  const { rows } = await client.query<{ signature: string }>(
    "SELECT current_setting('pathway.node_signature') AS signature",
  );
  await client.query("SET LOCAL citus.propagate_set_commands TO local");
  await client.query(`SET LOCAL pathway.shop TO '${other}'`);
  expect(await seen()).toEqual([]);
  await client.query("ROLLBACK");

  // A signature that was read in one transaction is of no use in another.
  await client.query("BEGIN; SET LOCAL ROLE pathway_tenant");
  await client.query("SET LOCAL citus.propagate_set_commands TO local");
  await client.query(`SET LOCAL pathway.shop TO '${own}'`);
  await client.query(`SET LOCAL pathway.node_signature TO '${rows[0]?.signature}'`);
  expect(await seen()).toEqual([]);
  await client.query("ROLLBACK");

  await client.query("BEGIN");
  await enter(own);
  await expect(
    client.query("INSERT INTO store_readings (shop) VALUES ($1)", ["third.myshopify.com"]),
  ).rejects.toThrow(/row-level security/);
  await client.end();
}, 300_000);
