import pg from "pg";
import { expect, test } from "vitest";
import { directly } from "./logins.ts";

const ADDRESSES = [
  "postgresql://pathway_web:w%3A%40%23@proxy:6432/pathway",
  "postgresql://pathway_web:w%3A%40%23@/pathway?host=/run/pgbouncer",
  "postgresql://pathway_web:w%3A%40%23@%2Frun%2Fpgbouncer/pathway",
];
const DIRECT = [
  ["postgresql://server:5433/pathway?sslmode=disable", "server"],
  ["postgresql://somebody:else@server:5433/pathway", "server"],
  ["postgresql:///pathway?host=/run/postgresql", "/run/postgresql"],
  ["postgresql://somebody:else@/pathway?host=/run/postgresql", "/run/postgresql"],
] as const;

test.each(ADDRESSES.flatMap((url) => DIRECT.map(([direct, host]) => [url, direct, host] as const)))(
  "the login of %s goes to %s",
  (url, direct, host) => {
    const { user, password, host: to, database } = new pg.Client(directly(url, direct));
    expect({ user, password, to, database }).toEqual({
      ...{ user: "pathway_web", password: "w:@#", to: host, database: "pathway" },
    });
  },
);

test("without another address a login stays where it is", () => {
  expect(directly("postgresql://pathway_web@server/pathway", undefined)).toBe(
    "postgresql://pathway_web@server/pathway",
  );
});
