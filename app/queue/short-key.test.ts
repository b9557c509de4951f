import { expect, test } from "vitest";
import { shortKey } from "./short-key.ts";

const KEY = "some-shop.myshopify.com gid://shopify/Order/5678901234567";

test("the same work has the same short key, and other work another", () => {
  expect(shortKey(KEY)).toMatch(/^[\w-]{20}$/);
  expect(shortKey(KEY)).toBe(shortKey(KEY));
  expect(shortKey(`${KEY} wanted`)).not.toBe(shortKey(KEY));
});

test("the time that work waits for stays at its end, and the work before it is the same", () => {
  expect(shortKey(`${KEY}@1764260000000`)).toBe(`${shortKey(KEY)}@1764260000000`);
});

test("a key that is short already stays: work that is put back into the outbox keeps its key", () => {
  for (const key of ["k", "at once", "due@1764260000000", shortKey(KEY), `${shortKey(KEY)}@1`])
    expect(shortKey(key)).toBe(key);
});
