import type { Catalogue } from "../domain/mappings/catalogue.ts";
import type { Mapping } from "../domain/mappings/mapping.ts";
import type { VariantState } from "../domain/overview/read-mappings.ts";
import type { Tone } from "./words.ts";

export const VARIANT_STATES: Record<VariantState, { name: string; tone: Tone }> = {
  mapped: { name: "Mapped", tone: "success" },
  unmapped: { name: "Unmapped", tone: "attention" },
  ignored: { name: "Not a test", tone: undefined },
  broken: { name: "Broken", tone: "critical" },
};

/** What a mapping orders, in words: one line for each kind of thing. */
export function describeMapping(mapping: Mapping | null, catalogue: Catalogue | null): string[] {
  if (!mapping) return [];
  if (mapping.kind === "ignored") return ["Nothing: it isn’t a test"];
  const { bundleId, tests, medicareTests } = mapping.items;
  const nameOf = (id: string) => catalogue?.tests.find((test) => test.id === id)?.name ?? id;
  const bundle = catalogue?.bundles.find((one) => one.id === bundleId);
  const list = (ids: string[]) => ids.map(nameOf).join(", ");
  return [
    ...(bundleId ? [`Bundle: ${bundle?.name ?? bundleId}`] : []),
    ...(tests.length > 0 ? [`${bundleId ? "Plus" : "Tests"}: ${list(tests)}`] : []),
    ...(medicareTests.length > 0 ? [`Under Medicare: ${list(medicareTests)}`] : []),
  ];
}

/** "$129.00", from cents of Australian dollars. */
export function dollars(cents: number): string {
  return new Intl.NumberFormat("en-AU", { style: "currency", currency: "AUD" }).format(cents / 100);
}

/** "12 orders", "1 order". */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${new Intl.NumberFormat("en-AU").format(count)} ${count === 1 ? one : many}`;
}
