import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { newKey, seal, sealedStart, unseal, versionOf } from "./sealing.ts";

const place = { shop: "a.myshopify.com", table: "results", column: "snapshot", row: "1" };
/** Stored by an earlier version: "ferritin 12" in this place, under a key of sevens. */
const STORED = "AblT1gMzO9GJXiYWUBTXp54x6OjtYklIXN+C/0Sgls+pCL1Ljomwwg==";

describe("sealing", () => {
  const key = randomBytes(32);
  const sealed = seal(key, 7, place, Buffer.from("ferritin 12"));

  it("opens in its own place with its own key", () => {
    expect(unseal(key, place, sealed).toString()).toBe("ferritin 12");
    expect(sealed.includes("ferritin")).toBe(false);
  });

  it.each(["shop", "table", "column", "row"] as const)("does not open with another %s", (part) => {
    expect(() => unseal(key, { ...place, [part]: "other" }, sealed)).toThrow();
  });

  it("does not open when two parts of the place are shifted against each other", () => {
    const shifted = { ...place, table: "results1", column: "napshot" };
    const moved = { ...place, table: "results", column: "1napshot" };
    const original = seal(key, 7, moved, Buffer.from("x"));
    expect(() => unseal(key, shifted, original)).toThrow();
  });

  it("does not open with another key or a changed bit", () => {
    expect(() => unseal(randomBytes(32), place, sealed)).toThrow();
    for (const at of [0, 5, 20, sealed.length - 1]) {
      const changed = Buffer.from(sealed);
      changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
      expect(() => unseal(key, place, changed)).toThrow();
    }
    expect(() => unseal(key, place, sealed.subarray(0, 20))).toThrow();
  });

  it("keeps the format of what is stored: format, key's version, vector, tag, ciphertext", () => {
    expect(sealed).toHaveLength(1 + 4 + 12 + 16 + "ferritin 12".length);
    expect([...sealed.subarray(0, 5)]).toEqual([2, 0, 0, 0, 7]);
    expect(versionOf(sealed, place)).toBe(7);
    expect(sealedStart(7)).toEqual(sealed.subarray(0, 5));
  });

  it("has no version 0 in the format that names a version", () => {
    const none = Buffer.from(sealed);
    none.writeUInt32BE(0, 1);
    expect(() => versionOf(none, place)).toThrow("results.snapshot has an unknown format");
  });

  it("names the place of what can't be opened, and nothing of its content", () => {
    expect(() => unseal(randomBytes(32), place, sealed)).toThrow(
      "Sealed value in results.snapshot can't be opened",
    );
  });

  it("opens what the shop's one key of earlier versions sealed, and counts it as version 0", () => {
    const fixed = Buffer.from(STORED, "base64");
    expect(unseal(Buffer.alloc(32, 7), place, fixed).toString()).toBe("ferritin 12");
    expect(versionOf(fixed, place)).toBe(0);
    expect(sealedStart(0)).toEqual(fixed.subarray(0, 1));
    const former = seal(key, 0, place, Buffer.from("x"));
    expect(former).toHaveLength(1 + 12 + 16 + 1);
    expect(unseal(key, place, former).toString()).toBe("x");
  });

  it("opens an empty value", () => {
    expect(unseal(key, place, seal(key, 1, place, Buffer.alloc(0)))).toHaveLength(0);
  });

  it("names the place of a value that has no such format, before it looks into it", () => {
    const unknown = "Sealed value in results.snapshot has an unknown format";
    const other = Buffer.from(sealed);
    other[0] = 3;
    const former = seal(key, 0, place, Buffer.alloc(0));
    expect(unseal(key, place, former)).toHaveLength(0);
    for (const value of [other, sealed.subarray(0, 32), former.subarray(0, 28), Buffer.alloc(0)])
      expect(() => unseal(key, place, value)).toThrow(unknown);
  });

  it("makes keys of 256 bits, each another", () => {
    const keys = Array.from({ length: 100 }, newKey);
    for (const one of keys) expect(one).toHaveLength(32);
    expect(new Set(keys.map((one) => one.toString("hex"))).size).toBe(100);
  });

  it("opens a value that lies inside a larger buffer", () => {
    const inside = new Uint8Array(Buffer.concat([Buffer.alloc(3), sealed, Buffer.alloc(3)]));
    expect(unseal(key, place, inside.subarray(3, 3 + sealed.length)).toString()).toBe(
      "ferritin 12",
    );
  });
});
