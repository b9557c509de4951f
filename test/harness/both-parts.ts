import { z } from "zod";
import type { TestWorld } from "./start-world.ts";

const practitionerRow = z.object({
  name: z.string(),
  address: z.string(),
  providerNumber: z.string(),
});
const PRACTITIONER = `SELECT name, address, provider_number AS "providerNumber" FROM practitioners
  WHERE (shop, provider_number) IN (SELECT shop, provider_number FROM mappings WHERE variant_id = $1)`;

/** A card that the service takes. */
export const MEDICARE_CARD = "2123456701";

/** A product of tests of both kinds: each unit makes a commercial referral and one under Medicare. */
export async function sellBothParts(
  { line, store, sql, pages }: Pick<TestWorld, "line" | "store" | "sql" | "pages">,
  title: string,
): Promise<{ variantId: string; tests: readonly string[] }> {
  const product = await store.createProduct({ title, variants: [{ priceCents: 5_000 }] });
  const meanings = line.products.map(({ mapsTo }) => mapsTo);
  const medicareTests = meanings.flatMap((mapping) => mapping.medicareTests ?? []);
  const tests = meanings.find((mapping) => mapping.tests && !mapping.bundleId)?.tests ?? [];
  // The one of a product that every world has: tests map others to practitioners whom the service refuses.
  const sold = line.products.find(({ mapsTo }) => mapsTo.medicareTests);
  const [practitioner] = await sql.rows(practitionerRow, PRACTITIONER, [sold?.variantId]);
  const [variant] = product.variants;
  if (!practitioner || !variant) throw new Error("Nothing is mapped to Medicare tests");
  await pages.saveMapping({
    productId: product.id,
    variantId: variant.id,
    kind: "order",
    tests,
    medicareTests,
    practitionerName: practitioner.name,
    practitionerAddress: practitioner.address,
    practitionerProviderNumber: practitioner.providerNumber,
  });
  return { variantId: variant.id, tests };
}

/**
 * Does at the service what the app must not come before: it stands still meanwhile. A call that broke off is looked for within
 * seconds, which on a busy machine pass quickly.
 */
export async function whileAppStands(
  { processes }: Pick<TestWorld, "processes">,
  work: () => Promise<unknown>,
): Promise<void> {
  const { app, workers } = await processes();
  const tell = (signal: NodeJS.Signals) => {
    for (const pid of [app, ...workers]) process.kill(pid, signal);
  };
  tell("SIGSTOP");
  try {
    await work();
  } finally {
    tell("SIGCONT");
  }
}
