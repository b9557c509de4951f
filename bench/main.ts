/**
 * `npm run bench` measures every part but `beside`; the goals are in docs/quality-bars.md. Results go to bench/results.json.
 * Exit code 1 when a part could not be measured, not when a goal is missed.
 */
import type { Figures } from "./figure.ts";
import { mergeResults } from "./results.ts";

const USAGE = `npm run bench [PART …] [FIGURE …] [--OPTION=N …]

  npm run bench                  every part but beside
  npm run bench engine p3 p4     some figures of a part
  npm run bench beside           P16 to P20 by turns with commit dc09403, from its own checkout in .cache/beside;
                                 beside p16 p18 --rounds=2 --orders=100 some of it

The figures, their goals and their options are in docs/quality-bars.md.`;

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
  beside: async (only) => (await import("./beside/measure.ts")).measureBeside(only),
};
/** Takes long, and needs git's history and the npm registry. */
const ONLY_WHEN_ASKED = ["beside"];

if (process.argv.includes("--help")) {
  console.log(`${USAGE}\nParts: ${Object.keys(parts).join(", ")}`);
  process.exit(0);
}
const asked = process.argv.slice(2).filter((word) => !word.startsWith("--"));
const isWithin = (name: string) => /^[pr]\d+$/.test(name);
const whole = asked.filter((name) => !isWithin(name));
const names =
  whole.length > 0 ? whole : Object.keys(parts).filter((name) => !ONLY_WHEN_ASKED.includes(name));
for (const name of names) {
  const measure = parts[name];
  if (!measure) {
    console.error(`There is no part "${name}".\n\n${USAGE}`);
    process.exitCode = 1;
    continue;
  }
  const figures = await measure(asked.filter(isWithin));
  mergeResults(figures);
  for (const [id, { value, unit, goal, met }] of Object.entries(figures))
    console.log(`${id}: ${value} ${unit} (goal ${goal}: ${met ? "met" : "missed"})`);
}
