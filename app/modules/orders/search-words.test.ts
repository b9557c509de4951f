import { expect, test } from "vitest";
import { searchWords } from "./search-words.ts";

const buyer = {
  ...{ firstName: "明", lastName: "李", email: "Li@Example.com", phone: null },
  ...{ address: null, statusUrl: null },
};

test("pins the words of an order: a change of the rules has stored orders found anew (decision 0120)", () => {
  expect(searchWords({ buyer, titles: ["Søren’s Iron"], tags: ["VIP"] }).toSorted()).toEqual(
    EXPECTED,
  );
});

const EXPECTED = [
  ...["iron", "li@example.com", "sorens", "sørens", "vip"],
  ...["明", "明 李", "明李", "李", "李明"],
];
