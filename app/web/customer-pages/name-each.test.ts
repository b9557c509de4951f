import { expect, test } from "vitest";
import { nameEach } from "./name-each.ts";

test("says whose test each is of, and keeps the product's name where there is no card", () => {
  const unit = { id: "u", title: "Iron studies", orderName: "#1001", patientName: "Ngaire W." };
  const items = ["u", "other", null].map((requestId) => ({ requestId, title: "Iron studies" }));
  const [named, ...others] = nameEach(items, [unit]);
  expect(named?.title).toMatch(/^Iron studies, Ngaire W\., .*#1001$/);
  expect(others.map(({ title }) => title)).toEqual(["Iron studies", "Iron studies"]);
});
