import { eventually, startWorld, type TestWorld } from "../../test/harness/index.ts";
import { rounded } from "../engine/numbers.ts";
import { type Figures, median } from "../figure.ts";
import { table } from "../table.ts";
import { openLighthouse } from "./lighthouse.ts";

const ROUNDS = 5;
const GOAL = 10;

/**
 * P15: what Lighthouse takes off a product page for the theme block, by turns with the same page after the product
 * was said to be no test. The product is a bundle, whose list of tests is long.
 */
export async function measureThemeBlock(): Promise<Figures> {
  await using world = await startWorld({ env: { LOG_LEVEL: "warn" } });
  await using lighthouse = await openLighthouse();
  const product = await bundleProduct(world);
  const address = `${world.line.store.store_url}/products/${product.handle}`;
  const shows = async (isShown: boolean) => {
    await world.pages.saveMapping({ ...product.mapping, kind: isShown ? "order" : "ignored" });
    await eventually(async () => {
      const page = await (await fetch(address)).text();
      if (page.includes("pathway-details") !== isShown) throw new Error("the page is the old one");
    });
    return lighthouse.audit(address);
  };
  await lighthouse.audit(address);
  const rounds: Record<string, number>[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const without = await shows(false);
    const shown = await shows(true);
    rounds.push({
      score: shown.score,
      score_without: without.score,
      lcp_ms: shown.lcpMs,
      lcp_ms_without: without.lcpMs,
      cls: rounded(shown.cls, 3),
      cls_without: rounded(without.cls, 3),
      bytes: shown.bytes - without.bytes,
    });
  }
  console.log(table(rounds));
  const of = (read: (round: Record<string, number>) => number) => median(rounds.map(read));
  const cost = of((round) => (round.score_without ?? Number.NaN) - (round.score ?? Number.NaN));
  const shift = of((round) => (round.cls ?? Number.NaN) - (round.cls_without ?? Number.NaN));
  return {
    "P15.lighthouse": {
      value: cost,
      unit: "points of Lighthouse's performance score that the theme block costs",
      goal: `≤ ${GOAL}`,
      met: cost <= GOAL,
      rounds,
    },
    // The page itself shifts as well: its font comes after the first paint.
    "P15.cls": {
      value: rounded(shift, 3),
      unit: "layout shift that the theme block adds",
      goal: "0",
      met: shift <= 0,
      rounds: [],
    },
  };
}

/** A product whose page lists a bundle's tests, and how it is mapped. */
async function bundleProduct({ line, store }: TestWorld) {
  const mapped = line.products.find(({ mapsTo }) => mapsTo.bundleId && !mapsTo.medicareTests);
  const isMapped = ({ id }: { id: string }) => id === mapped?.variantId;
  const found = (await store.products()).find(({ variants }) => variants.some(isMapped));
  if (!mapped || !found) throw new Error("no product is mapped to a bundle");
  const handle = found.title.toLowerCase().replace(/[^a-z0-9]+/g, "-");
  const { variantId, mapsTo } = mapped;
  const { bundleId, tests } = mapsTo;
  return { handle, mapping: { productId: found.id, variantId, bundleId, tests } };
}
