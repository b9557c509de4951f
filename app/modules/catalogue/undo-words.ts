import { countOf } from "../kernel/words.ts";
import type { PlaceUndone } from "./undo-mapping.ts";

/** What else there is to say of a place that was put back, or why it was not; null when there is nothing. */
export function describePlace(place: PlaceUndone): string | null {
  switch (place.kind) {
    case "restored":
      return (
        [describeUsed(place.ordersUsed), describeReread(place.ordersReread)]
          .filter(Boolean)
          .join(" ") || null
      );
    case "restored_before":
      return "It was put back already.";
    case "changed_since":
      return `Changed meanwhile by ${place.by ?? "somebody else"}. It’s left as it is.`;
    case "practitioner_gone":
      return `Nobody has the provider number ${place.providerNumber} any more. Add them under Practitioners first. It’s left as it is.`;
  }
}

/** What became of an undo, in sentences; `isError` when nothing was put back. */
export function describeUndo(places: PlaceUndone[]): { sentence: string; isError: boolean } {
  const restored = places.filter((place) => place.kind === "restored");
  if (restored.length === 0) {
    const [first] = places;
    const isError = first !== undefined && first.kind !== "restored_before";
    return { sentence: (first && describePlace(first)) ?? "", isError };
  }
  const ordersUsed = Math.max(...restored.map((place) => place.ordersUsed));
  const ordersReread = Math.max(...restored.map((place) => place.ordersReread));
  const left = places.find(({ kind }) => kind === "changed_since" || kind === "practitioner_gone");
  const parts = [
    "The mapping is as it was before.",
    describeUsed(ordersUsed),
    describeReread(ordersReread),
    left && `Part of it: ${describePlace(left)}`,
  ];
  return { sentence: parts.filter(Boolean).join(" "), isError: false };
}

const describeUsed = (orders: number) =>
  orders > 0 &&
  `${countOf(orders, "order")} already used the new mapping; ${orders === 1 ? "it stays as it is" : "they stay as they are"}.`;

const describeReread = (orders: number) =>
  orders > 0 &&
  `${countOf(orders, "order")} that sold it ${orders === 1 ? "is" : "are"} being read again now.`;
