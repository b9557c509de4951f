import type { Mapping } from "./mapping.ts";
import type { MappingChange } from "./runs/run.ts";

/** What a stored mapping says, as a change would say it. */
export function meaningOf(mapping: Mapping | null): MappingChange {
  if (!mapping) return { kind: "unmapped" };
  return mapping.kind === "order" ? { kind: "order", items: mapping.items } : { kind: "ignored" };
}

/** Whether two say the same, in whatever order their tests are. Only the practitioner's number counts. */
export function isSameMeaning(a: MappingChange, b: MappingChange): boolean {
  return keyOf(a) === keyOf(b);
}

function keyOf(change: MappingChange): string {
  if (change.kind !== "order") return change.kind;
  const { bundleId, tests, medicareTests, practitioner } = change.items;
  const number = medicareTests.length > 0 ? (practitioner?.providerNumber ?? "") : "";
  return JSON.stringify([bundleId, tests.toSorted(), medicareTests.toSorted(), number]);
}
