import type { Loop, Vitals } from "../../app/queue/vitals.ts";

/** For loops that a test or a measurement runs by themselves, and watches in its own way. */
export const SILENT_LOOP: Loop = { turned: () => {}, failed: () => {} };
export const SILENT_VITALS: Pick<Vitals, "loop" | "watch"> = {
  loop: () => SILENT_LOOP,
  watch: () => {},
};
