import { expect, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import { isDatabaseAway } from "./database-away.ts";

const db = await openTestDatabase();
const raise = (code: string) =>
  `DO $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '${code}'; END $$`;

test.each([
  ["53100", "its disk is full"],
  ["53200", "it has no memory left"],
  ["58030", "its disk does not answer"],
  ["53300", "it has no connection left"],
  ["57P01", "it is being stopped"],
  ["28P01", "the login has another password"],
  ["28000", "the login may not come in"],
])("%s counts as a database that is away: %s", async (code) => {
  const own = await db.pool.query(raise(code)).catch((error: unknown) => error);
  const shops = await db.transactions
    .run((tx) => tx.$executeRawUnsafe(raise(code)))
    .catch((error: unknown) => error);
  expect([own, shops].map(isDatabaseAway)).toEqual([true, true]);
});

test.each(["23505", "42501", "42P01"])("%s does not: it would fail again", async (code) => {
  const own = await db.pool.query(raise(code)).catch((error: unknown) => error);
  expect(isDatabaseAway(own)).toBe(false);
});

test("a certificate that was exchanged under a running process counts as well", () => {
  const own = Object.assign(new Error("self-signed certificate"), {
    code: "DEPTH_ZERO_SELF_SIGNED_CERT",
  });
  const shops = Object.assign(new Error("Raw query failed"), {
    code: "P2010",
    meta: { driverAdapterError: { cause: { kind: "TlsConnectionError" } } },
  });
  expect([own, shops].map(isDatabaseAway)).toEqual([true, true]);
});
