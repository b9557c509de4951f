/** Decides, call by call, whether a fault hits. */
export interface Strike {
  hits(): boolean;
}

/**
 * Turns a setting into a decision. Below 1 it is a rate, above 1 a count of the next calls, `true`
 * is always, 0 and `false` never. `oneMeans` settles the ambiguous 1: the next call, or all calls.
 */
export function createStrike(setting: number | boolean, oneMeans: "next" | "all"): Strike {
  if (setting === true || (setting === 1 && oneMeans === "all")) return { hits: () => true };
  if (setting === false || setting === 0) return { hits: () => false };
  if (setting < 1) return { hits: () => Math.random() < setting };
  let left = setting;
  return {
    hits() {
      if (left === 0) return false;
      left -= 1;
      return true;
    },
  };
}
