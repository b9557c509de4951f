import type { Figures } from "../figure.ts";
import { table } from "../table.ts";

/** The parts of `node bench/main.ts engine`; `… engine p3 p4` runs some. */
const parts: Record<string, () => Promise<Figures>> = {
  p3: async () => (await import("./latency.ts")).measureLatency(),
  p4: async () => (await import("./drain.ts")).measureDrain(),
  p5: async () => (await import("./makespan.ts")).measureMakespan(),
  p6: async () => (await import("./calls.ts")).measureCalls(),
  p7: async () => (await import("./takeover.ts")).measureTakeover(),
  p12: async () => (await import("./sealing-cost.ts")).measureSealingCost(),
  p13: async () => (await import("./syncing.ts")).measureSync(),
  p16: async () => (await import("./order-cost.ts")).measureOrderCost(),
  p17: async () => (await import("./leftovers.ts")).measureLeftovers(),
  p18: async () => (await import("./round-trips.ts")).measureRoundTrips(),
  p19: async () => (await import("./scale-out.ts")).measureScaleOut(),
  p20: async () => (await import("./worker-size.ts")).measureWorkerSize(),
  r17: async () => (await import("./isolation.ts")).measureIsolation(),
};

export const ENGINE_PARTS = Object.keys(parts);

export async function measureEngine(names: readonly string[]): Promise<Figures> {
  const figures: Figures = {};
  for (const name of names.length > 0 ? names : ENGINE_PARTS) {
    const measure = parts[name];
    if (!measure) throw new Error(`engine has no "${name}". It has: ${ENGINE_PARTS.join(", ")}.`);
    const measured = await measure();
    for (const rounds of new Set(Object.values(measured).map((figure) => figure.rounds)))
      console.log(`${name}\n${table(rounds)}`);
    Object.assign(figures, measured);
  }
  return figures;
}
