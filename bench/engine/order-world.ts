import type { TestWorld } from "../../test/harness/index.ts";

type Actors = Pick<TestWorld, "store" | "customer" | "service" | "console" | "sql">;

/** The part of a world that is needed to measure what its orders cost. Worlds of former versions have it too (bench/beside). */
export interface OrderWorld extends Actors, AsyncDisposable {
  line: Pick<TestWorld["line"], "products" | "owner_database_url">;
  processes(): Promise<{ app: number; workers: number[]; database: number | null }>;
}

/** Starts a world whose app does nothing beside its orders, with a log of warnings only. */
export type StartOrderWorld = (options?: {
  workers?: number;
  databaseUrl?: string;
  env?: Record<string, string>;
}) => Promise<OrderWorld>;

/** A product that is one test without Medicare. */
export function variantOfTests({ line }: OrderWorld): string {
  const product = line.products.find(
    ({ mapsTo }) => mapsTo.tests && !mapsTo.bundleId && !mapsTo.medicareTests,
  );
  if (!product) throw new Error("no product is mapped to tests");
  return product.variantId;
}

/** A product that is a whole panel of tests, without Medicare: the orders with the largest results. */
export function variantOfPanel({ line }: OrderWorld): string {
  const product = line.products.find(({ mapsTo }) => mapsTo.bundleId && !mapsTo.medicareTests);
  if (!product) throw new Error("no product is mapped to a bundle");
  return product.variantId;
}
