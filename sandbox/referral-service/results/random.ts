import { createHash } from "node:crypto";

/** Random numbers that a seed text determines completely. */
export interface Random {
  /** Uniform in [0, 1). */
  next(): number;
  /** Normally distributed with mean 0 and standard deviation 1. */
  gaussian(): number;
  pick<T>(values: readonly T[]): T;
}

/** sfc32, seeded with a hash of the text: equal seeds give equal numbers on every machine. */
export function createRandom(seed: string): Random {
  const digest = createHash("sha256").update(seed).digest();
  let a = digest.readInt32LE(0);
  let b = digest.readInt32LE(4);
  let c = digest.readInt32LE(8);
  let counter = digest.readInt32LE(12);
  const next = () => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + sum) | 0;
    return (sum >>> 0) / 4_294_967_296;
  };
  return {
    next,
    gaussian: () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()),
    pick(values) {
      const value = values[Math.floor(next() * values.length)];
      if (value === undefined) throw new RangeError("nothing to pick from");
      return value;
    },
  };
}
