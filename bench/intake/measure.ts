import type { Figures } from "../figure.ts";

/**
 * The parts of `node bench/main.ts intake`; `… intake p1 p2` runs some. A start comes first: after a flood the disk is still busy
 * with what was taken in.
 */
const parts: Record<string, () => Promise<Figures>> = {
  p11: async () => (await import("./footprint.ts")).measureFootprint(),
  p1: async () => (await import("./throughput.ts")).measureThroughput(),
  p2: async () => (await import("./record-load.ts")).measureRecordLoad(),
  r23: async () => (await import("./floods.ts")).measureFloods(),
};

export async function measureIntake(names: readonly string[]): Promise<Figures> {
  const figures: Figures = {};
  for (const name of names.length > 0 ? names : Object.keys(parts))
    Object.assign(figures, (await parts[name]?.()) ?? {});
  return figures;
}
