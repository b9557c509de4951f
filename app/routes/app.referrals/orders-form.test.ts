import { expect, test } from "vitest";
import { readSelection } from "../../modules/reports/selection-text.ts";
import { ALL_ORDERS, selectionText } from "./order-address.ts";
import { ordersForm } from "./orders-form.ts";

test.each(["李", "é", "😀", "a"])("takes the longest search that can be typed: %s", (letter) => {
  const typed = { ...ALL_ORDERS, search: letter.repeat(100) };
  const selection = selectionText(typed);
  for (const form of [
    { intent: "save-view", name: "Found", selection },
    { intent: "bulk", action: "resync", selection },
  ])
    expect(ordersForm.safeParse(form).success).toBe(true);
  expect(readSelection(selection).search).toBe(typed.search);
});

test("a reason in which a character stands that no database keeps is another reason", () => {
  const items = JSON.stringify([{ order: "1", reason: "a\u0000b\ud800" }]);
  const form = ordersForm.parse({ intent: "bulk", action: "handled", items });
  expect(form).toMatchObject({ items: [{ reason: "a\ufffdb\ufffd" }] });
});
