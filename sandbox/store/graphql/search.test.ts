import { describe, expect, it } from "vitest";
import { search } from "./search.ts";

const shelf = [
  {
    name: "Iron Studies",
    sku: "FE-1",
    price: 49,
    tags: ["blood", "iron"],
    at: "2026-07-01T00:00:00Z",
  },
  {
    name: "Vitamin D",
    sku: "VITD",
    price: 45,
    tags: ["blood", "new year"],
    at: "2026-08-01T00:00:00Z",
  },
  { name: "Swabs", sku: null, price: 12.5, tags: [], at: "2026-09-01T00:00:00Z" },
];
type Item = (typeof shelf)[number];
const find = (query: string | null) =>
  search<Item>(
    shelf,
    query,
    {
      sku: (item) => item.sku,
      price: (item) => item.price,
      tag: (item) => item.tags,
      at: (item) => new Date(item.at),
    },
    (item) => item.name,
  ).map((item) => item.name);

describe("search", () => {
  it.each([
    [null, ["Iron Studies", "Vitamin D", "Swabs"]],
    ["", ["Iron Studies", "Vitamin D", "Swabs"]],
    ["sku:VITD", ["Vitamin D"]],
    ["sku:FE*", ["Iron Studies"]],
    ["sku:*", ["Iron Studies", "Vitamin D"]],
    ["sku:FE-1,VITD", ["Iron Studies", "Vitamin D"]],
    ["tag:'new year'", ["Vitamin D"]],
    ['tag:"new year"', ["Vitamin D"]],
    ["tag:blood price:<49", ["Vitamin D"]],
    ["tag:blood AND price:>=49", ["Iron Studies"]],
    ["price:<13 OR sku:FE-1", ["Iron Studies", "Swabs"]],
    ["-tag:blood", ["Swabs"]],
    ["NOT tag:iron", ["Vitamin D", "Swabs"]],
    ["tag:blood AND (sku:VITD OR price:>100)", ["Vitamin D"]],
    ["at:>2026-07-15 at:<='2026-08-01T00:00:00Z'", ["Vitamin D"]],
    ["at:2026-08-01", ["Vitamin D"]],
    ["at:'2026-08-01T00:00:00Z'", ["Vitamin D"]],
    ["at:'2026-08-01T00:00:01Z'", []],
    ["at:>2026-08-01", ["Swabs"]],
    ["at:<=2026-08-01", ["Iron Studies", "Vitamin D"]],
    ["at:>now", []],
    ["tag_not:blood", ["Swabs"]],
    ["vitamin", ["Vitamin D"]],
    ["vit*", ["Vitamin D"]],
  ])("%s", (query, names) => {
    expect(find(query)).toEqual(names);
  });

  it.each([
    ["colour:red", "search by colour is not modelled"],
    ["at:>=2026-08-01T00:00:00Z", "a time without quotes"],
    ["at:>yesterday", "search by the time yesterday"],
  ])("refuses %s", (query, reason) => {
    expect(() => find(query)).toThrow(reason);
  });
});
