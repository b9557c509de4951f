import { expect, test } from "vitest";
import { bannerAction } from "./attention-action.ts";

test.each(["backdated", "not_a_test_then"] as const)(
  "offers to import an order that waits as %s, as the list of what needs attention does",
  (code) => {
    expect(bannerAction({ code, detail: null }, "1001")).toEqual({
      content: "Import order",
      url: "/app/settings/orders",
    });
  },
);

test.each(["paid_in_part", "other_name", "paid_not_visible", "no_contact"] as const)(
  "leads to the order in Shopify for %s",
  (code) => {
    expect(bannerAction({ code, detail: null }, "1001")).toEqual({
      content: "View in Shopify",
      url: "shopify://admin/orders/1001",
    });
  },
);

test.each(["unmapped_line", "parts_of_bundle"] as const)(
  "leaves %s to the button beside its line",
  (code) => {
    expect(bannerAction({ code, detail: null }, "1001")).toBeUndefined();
  },
);
