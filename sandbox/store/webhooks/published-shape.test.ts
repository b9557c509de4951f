import { describe, expect, it } from "vitest";
import { exampleOf, rulesOfTopic, shapeProblems } from "./published-shape.ts";

const version = "2026-07";

describe("shapeProblems", () => {
  it.each(["orders/paid", "refunds/create", "products/update", "app/uninstalled", "orders/edited"])(
    "accepts the published example of %s",
    (topic) => {
      expect(shapeProblems(version, topic, exampleOf(version, topic))).toEqual([]);
    },
  );

  it("names a missing key and an invented one, at any depth", () => {
    const example = JSON.parse(JSON.stringify(exampleOf(version, "orders/paid")));
    delete example.customer.email;
    example.line_items[1].dose = "10 mg";
    expect(shapeProblems(version, "orders/paid", example)).toEqual([
      "payload.customer.email is missing",
      "payload.line_items[1].dose is not published",
    ]);
  });

  it("looks into lists that the example leaves empty, by the schema", () => {
    const example = JSON.parse(JSON.stringify(exampleOf(version, "orders/paid")));
    example.fulfillments = [{ id: 1 }];
    expect(shapeProblems(version, "orders/paid", example)).toContain(
      "payload.fulfillments[0].status is missing",
    );
  });
});

describe("rulesOfTopic", () => {
  it("knows what Shopify asks for before it takes a subscription", () => {
    expect(rulesOfTopic(version, "customers/merge").scopes).toContain("read_customer_merge");
    expect(rulesOfTopic(version, "orders/paid").needsCustomerData).toBe(true);
    expect(rulesOfTopic(version, "shop/redact")).toEqual({ scopes: [], needsCustomerData: false });
  });
});
