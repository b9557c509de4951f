import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { readMasterKeys } from "./master-keys.ts";

const base64 = (bytes: number, of: number) => Buffer.alloc(bytes, of).toString("base64");
const [old, fresh] = [base64(32, 1), base64(32, 2)];
const SHOP = "one.myshopify.com";
const dataKey = randomBytes(32);

describe("a ring of keys", () => {
  const ring = readMasterKeys(`new:${fresh}, old:${old}`);

  test("opens what it wrapped, for the same shop", () => {
    const wrapped = ring.wrap(dataKey, SHOP);
    expect(wrapped.wrapped).toHaveLength(12 + 16 + 32);
    expect(wrapped.wrapped.includes(dataKey)).toBe(false);
    expect(ring.unwrap(wrapped, SHOP)).toEqual(dataKey);
  });

  test("wraps no key twice alike", () => {
    expect(ring.wrap(dataKey, SHOP).wrapped).not.toEqual(ring.wrap(dataKey, SHOP).wrapped);
  });

  test("wraps with the first key and opens with all", () => {
    expect(ring.activeId).toBe("new");
    expect(ring.wrap(dataKey, SHOP).masterKeyId).toBe("new");
    const former = readMasterKeys(`old:${old}`).wrap(dataKey, SHOP);
    expect(former.masterKeyId).toBe("old");
    expect(ring.unwrap(former, SHOP)).toEqual(dataKey);
  });

  test("opens for no other shop, with no other key and with no changed bit", () => {
    const { masterKeyId, wrapped } = ring.wrap(dataKey, SHOP);
    expect(() => ring.unwrap({ masterKeyId, wrapped }, "two.myshopify.com")).toThrow();
    expect(() => ring.unwrap({ masterKeyId: "old", wrapped }, SHOP)).toThrow();
    for (const at of [0, 12, 28, wrapped.length - 1]) {
      const changed = Buffer.from(wrapped);
      changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
      expect(() => ring.unwrap({ masterKeyId, wrapped: changed }, SHOP)).toThrow();
    }
  });

  test("names the key that it lacks", () => {
    const { wrapped } = ring.wrap(dataKey, SHOP);
    expect(() => ring.unwrap({ masterKeyId: "lost", wrapped }, SHOP)).toThrow(
      expect.objectContaining({
        name: "MasterKeyMissing",
        code: "master_key_missing",
        message: 'Master key "lost" is not in PATHWAY_MASTER_KEYS',
      }),
    );
  });
});

test.each(["", "id", `:${old}`, "id:c2hvcnQ=", `id:${base64(33, 1)}`, `id:${old}:x`])(
  "takes %j for no ring, and does not repeat it",
  (text) => {
    expect(() => readMasterKeys(text)).toThrow(
      "PATHWAY_MASTER_KEYS must be id:base64 of 32 bytes, comma separated",
    );
  },
);

test("refuses two keys of one name, of which the later would take the place of the former", () => {
  expect(() => readMasterKeys(`2026:${fresh},2026:${old}`)).toThrow(
    "PATHWAY_MASTER_KEYS names two keys alike",
  );
});
