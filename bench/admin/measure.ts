import { startWorld, type TestWorld } from "../../test/harness/index.ts";
import { startEmptyPostgres } from "../empty-postgres.ts";
import type { Figures } from "../figure.ts";
import { fillShop } from "./fill-shop.ts";
import { type BigShop, measureIndex } from "./p8.ts";
import { measureBundles } from "./p9.ts";
import { measureVitals } from "./p10.ts";

export const PARTS = ["p8", "p9", "p10"] as const;
export type Part = (typeof PARTS)[number];

const ORDERS = Number(process.env.BENCH_ORDERS ?? 1_000_000);

/** P8 and P10 in one world whose shop has a million orders; P9 beside an empty page that is built in the same run. */
export async function measureAdmin(parts: readonly Part[] = PARTS): Promise<Figures> {
  const figures: Figures = {};
  if (parts.includes("p9")) Object.assign(figures, await measureBundles());
  if (!parts.includes("p8") && !parts.includes("p10")) return figures;
  await inBigShop(async (world, big) => {
    if (parts.includes("p8")) Object.assign(figures, await measureIndex(world, big));
    if (parts.includes("p10")) Object.assign(figures, await measureVitals(world));
  });
  return figures;
}

async function inBigShop(work: (world: TestWorld, big: BigShop) => Promise<void>): Promise<void> {
  const settings = ["shared_buffers=512MB", "max_wal_size=4GB", "jit=off"];
  const flags = settings.flatMap((setting) => ["-c", setting]);
  const postgres = await startEmptyPostgres(flags);
  try {
    await using world = await startWorld({
      databaseUrl: postgres.url,
      env: { LOG_LEVEL: "warn", PATHWAY_SYNC_INTERVAL_MS: "86400000" },
    });
    const startedAt = performance.now();
    await fillShop(postgres.url, world.line.store.shop, ORDERS);
    console.log(`${ORDERS} orders written in ${Math.round(performance.now() - startedAt)} ms`);
    await work(world, { databaseUrl: postgres.url, orders: ORDERS });
  } finally {
    await postgres.stop();
  }
}
