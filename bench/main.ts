/**
 * `npm run bench` measures every part, `npm run bench NAME …` some, `npm run bench admin p8` one figure; the goals are in docs/quality-bars.md.
 * Results go to bench/results.json. Exit code 1 when a part could not be measured, not when a goal is missed.
 */
import type { Figures } from "./figure.ts";
import { mergeResults } from "./results.ts";

/** `engine p3 p4` measures two parts of a part. */
const parts: Record<string, (only: string[]) => Promise<Figures>> = {
  intake: async (only) => (await import("./intake/measure.ts")).measureIntake(only),
  engine: async (only) => (await import("./engine/measure.ts")).measureEngine(only),
  service: async () => (await import("./service.ts")).measureService(),
  admin: async () => {
    const { measureAdmin, PARTS } = await import("./admin/measure.ts");
    const some = PARTS.filter((part) => asked.includes(part));
    return measureAdmin(some.length > 0 ? some : PARTS);
  },
  shopper: async () => (await import("./shopper/theme-block.ts")).measureThemeBlock(),
};

const asked = process.argv.slice(2).filter((word) => !word.startsWith("--"));
const isWithin = (name: string) => /^[pr]\d+$/.test(name);
const whole = asked.filter((name) => !isWithin(name));
const names = whole.length > 0 ? whole : Object.keys(parts);
for (const name of names) {
  const measure = parts[name];
  if (!measure) {
    console.error(`There is no part "${name}". There are: ${Object.keys(parts).join(", ")}.`);
    process.exitCode = 1;
    continue;
  }
  const figures = await measure(asked.filter(isWithin));
  mergeResults(figures);
  for (const [id, { value, unit, goal, met }] of Object.entries(figures))
    console.log(`${id}: ${value} ${unit} (goal ${goal}: ${met ? "met" : "missed"})`);
}
