/** The forms that a setting may have, each with the sentence that says how to write it. */
import { z } from "zod";
import { readDatabaseAddress } from "./database-address.ts";

export const flag = z.enum(["true", "false"]).transform((value) => value === "true");
export const yes = z
  .enum(["true", "false", "1", "0"])
  .transform((value) => value === "true" || value === "1");
export const number = z.coerce.number({
  error: ({ code }) => (code === "invalid_type" ? "write it in digits, without a unit" : undefined),
});
export const milliseconds = number.int("give a whole number").nonnegative();
/** Node's timers end at once when they are given more. */
export const timer = milliseconds.max(2_147_483_647, "give at most 2147483647 ms (24 days)");
/** `traces:4318` is an address as well, of the scheme `traces`: nothing could be reached at it. */
export const address = z
  .url({
    protocol: /^https?$/,
    error: "write the whole address, beginning with https:// (or http://)",
    abort: true,
  })
  // Nothing can be fetched from an address with a user, and a path behind a question mark is none.
  .refine((value) => !new URL(value).username && !new URL(value).password, {
    error: "leave the user and the password out",
    abort: true,
  })
  .refine((value) => !/[?#]/.test(value), {
    error: "leave out what stands from ? or # on",
    abort: true,
  })
  // One host has one spelling, whatever letters and port it was written with.
  .transform((value) => `${new URL(value).origin}${new URL(value).pathname}`.replace(/\/+$/, ""));
/** Pages, messages and the sign-in are at the root of the host. */
export const appAddress = address.refine((value) => new URL(value).pathname === "/", {
  error: "leave the path out: the app is at the root of its host",
});
export const collector = address.refine((value) => !value.endsWith("/v1/traces"), {
  error: "leave /v1/traces out: it is added",
});
export const database = z
  .string()
  .refine(
    (value) => readDatabaseAddress(value) !== null,
    "write postgresql://user:password@host:5432/database, with one host, and %23 for a # in the password (%2F for /, %3F for ?, %25 for %)",
  );
export const list = z.string().transform((value) =>
  value
    .split(",")
    .map((s) => s.trim())
    .filter(Boolean),
);
