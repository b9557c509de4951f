import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { seal, unseal } from "./sealing.ts";

const place = { shop: "a.myshopify.com", table: "results", column: "snapshot", row: "1" };

describe("sealing", () => {
  const key = randomBytes(32);
  const sealed = seal(key, place, Buffer.from("ferritin 12"));

  it("opens in its own place with its own key", () => {
    expect(unseal(key, place, sealed).toString()).toBe("ferritin 12");
    expect(sealed.includes("ferritin")).toBe(false);
  });

  it.each(["shop", "table", "column", "row"] as const)("does not open with another %s", (part) => {
    expect(() => unseal(key, { ...place, [part]: "other" }, sealed)).toThrow();
  });

  it("does not open when two parts of the place are shifted against each other", () => {
    const shifted = { ...place, table: "results1", column: "napshot" };
    const original = seal(
      key,
      { ...place, table: "results", column: "1napshot" },
      Buffer.from("x"),
    );
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
});
