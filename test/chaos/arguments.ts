import { parseArgs } from "node:util";
import { z } from "zod";

export interface ChaosOptions {
  /** Paid orders, of one to three units each. */
  orders: number;
  /** SIGKILLs of the app, its worker and the database while the orders are handled. */
  kills: number;
  /** Makes the same run again, as far as the machine's own timing permits. */
  seed: number;
}

const count = z.coerce.number().int().min(0);
const schema = z.object({
  orders: count.default(200),
  kills: count.default(60),
  seed: count.default(() => Date.now() % 100_000),
});

/** Reads `--orders N --kills N --seed N`. Throws on anything else. */
export function readArguments(args: readonly string[]): ChaosOptions {
  const { values } = parseArgs({
    args: [...args],
    options: { orders: { type: "string" }, kills: { type: "string" }, seed: { type: "string" } },
  });
  return schema.parse(values);
}
