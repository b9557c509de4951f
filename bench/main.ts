/**
 * `npm run bench` measures every part, `npm run bench NAME …` some, `npm run bench admin p8` one figure; the goals are in docs/quality-bars.md.
 * Results go to bench/results.json. Exit code 1 when a part could not be measured, not when a goal is missed.
 */
import type { Figures } from "./figure.ts";
import { mergeResults } from "./results.ts";

const parts: Record<string, () => Promise<Figures>> = {
  intake: async () => (await import("./intake/measure.ts")).measureIntake(),
  service: async () => (await import("./service.ts")).measureService(),
  admin: async () => {
    const { measureAdmin, PARTS } = await import("./admin/measure.ts");
    const some = PARTS.filter((part) => asked.includes(part));
    return measureAdmin(some.length > 0 ? some : PARTS);
  },
};

const asked = process.argv.slice(2);
/** "admin p8" measures one of its figures. */
const named = asked.filter((name) => !/^p\d+$/.test(name));
const names = named.length > 0 ? named : Object.keys(parts);
for (const name of names) {
  const measure = parts[name];
  if (!measure) {
    console.error(`There is no part "${name}". There are: ${Object.keys(parts).join(", ")}.`);
    process.exitCode = 1;
    continue;
  }
  const figures = await measure();
  mergeResults(figures);
  for (const [id, { value, unit, goal, met }] of Object.entries(figures))
    console.log(`${id}: ${value} ${unit} (goal ${goal}: ${met ? "met" : "missed"})`);
}
