import { useWords } from "./app-context.ts";
import { detailsProgress } from "./order-groups.ts";
import type { TestRequest } from "./requests.ts";

/** How many of an order's several tests still need details; nothing once all have them. */
export function OrderProgress({ requests }: { requests: TestRequest[] }) {
  const words = useWords();
  const { needed, of } = detailsProgress(requests);
  if (needed === 0 || of === 1) return null;
  return <s-text type="strong">{words("unit.needed", { number: needed, of })}</s-text>;
}
