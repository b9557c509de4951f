import { expect, it } from "vitest";
import { createEventIds } from "./event-ids.ts";

it("gives one id to all messages of an action, and others to another thing, topic's repetition or moment", async () => {
  const idOf = createEventIds();
  const paid = idOf("a", "orders/paid", { id: 1 });
  expect(idOf("a", "orders/create", { id: 1 })).toBe(paid);
  expect(idOf("a", "refunds/create", { id: 9, order_id: 1 })).toBe(paid);
  expect(idOf("a", "orders/edited", { order_edit: { id: 8, order_id: 1 } })).toBe(paid);
  expect(idOf("a", "orders/paid", { id: 2 })).not.toBe(paid);
  expect(idOf("b", "orders/paid", { id: 1 })).not.toBe(paid);
  const again = idOf("a", "orders/paid", { id: 1 });
  expect(again).not.toBe(paid);
  await Promise.resolve();
  expect(idOf("a", "orders/create", { id: 1 })).not.toBe(again);
});
