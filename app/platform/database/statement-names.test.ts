import { expect, test } from "vitest";
import { createStatementNames } from "./statement-names.ts";

const often = (nameOf: (sql: string) => string, sql: string) => {
  let name = "";
  for (let time = 0; time < 10; time++) name = nameOf(sql);
  return name;
};

test("what is asked often has one name of its own, what is asked once has none", () => {
  const nameOf = createStatementNames();
  const [one, other] = ["SELECT a FROM t WHERE id = $1", "INSERT INTO t (a) VALUES ($1)"];
  expect(nameOf(one)).toBe("");
  const name = often(nameOf, one);
  expect(name).not.toBe("");
  expect(often(nameOf, one)).toBe(name);
  expect(often(nameOf, other)).not.toBe(name);
});

test.each([
  "SELECT a FROM t ORDER BY a LIMIT $1",
  "SELECT * FROM t",
  "SELECT t.* FROM t",
  "INSERT INTO t (a) VALUES ($1) RETURNING *",
])("%s is planned each time", (sql) => {
  expect(often(createStatementNames(), sql)).toBe("");
});

test("no more are named than a connection may keep plans of", () => {
  const nameOf = createStatementNames();
  const names = Array.from({ length: 1_000 }, (_, n) => often(nameOf, `SELECT ${n}`));
  expect(new Set(names.filter(Boolean)).size).toBe(400);
});
