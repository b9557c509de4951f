import { z } from "zod";

/**
 * How often a fault happens: a rate below 1, a count from 1, `true` for always, or spelled out as
 * {"rate"} or {"count"}, which leaves no doubt about 1.
 */
export const faultSetting = z.union([
  z.boolean(),
  z
    .number()
    .min(0)
    .refine((value) => value <= 1 || Number.isInteger(value), "must be a rate up to 1 or a count"),
  z.strictObject({ rate: z.number().min(0).max(1) }),
  z.strictObject({ count: z.number().int().min(0) }),
]);

export type FaultSetting = z.infer<typeof faultSetting>;

/** Decides, call by call, whether a fault hits. */
export interface FaultSwitch {
  hits(): boolean;
}

function byRate(rate: number): FaultSwitch {
  return { hits: () => Math.random() < rate };
}

function byCount(count: number): FaultSwitch {
  let left = count;
  return {
    hits() {
      if (left === 0) return false;
      left -= 1;
      return true;
    },
  };
}

/** Turns a setting into a decision; `oneMeans` settles the plain 1: the next call, or all calls. */
export function createFaultSwitch(setting: FaultSetting, oneMeans: "next" | "all"): FaultSwitch {
  if (typeof setting === "boolean") return byRate(setting ? 1 : 0);
  if (typeof setting === "object") {
    return "rate" in setting ? byRate(setting.rate) : byCount(setting.count);
  }
  if (setting < 1 || (setting === 1 && oneMeans === "all")) return byRate(setting);
  return byCount(setting);
}
