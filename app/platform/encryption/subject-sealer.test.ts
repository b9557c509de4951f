import { createSecretKey } from "node:crypto";
import { describe, expect, test } from "vitest";
import { KeyDamaged, KeyDestroyed, KeyUnknown } from "../errors.ts";
import type { KeySet } from "./data-keys.ts";
import { sealerWith } from "./sealer.ts";
import { versionOf } from "./sealing.ts";
import { openWith, sealWith } from "./wrapping.ts";

const SHOP = "one.myshopify.com";
const place = { table: "results", column: "snapshot", row: "1" };
const key = (of: number) => createSecretKey(Buffer.alloc(32, of));
const keys = (versions: number[], current: number, readAt = performance.now()): KeySet => ({
  ...{ current, readAt, switchedAt: null, damaged: new Set<number>() },
  byVersion: new Map(versions.map((version) => [version, key(version)])),
});

describe("a subject's sealer", () => {
  test("seals by the current version and opens what each version sealed", () => {
    const before = sealerWith(SHOP, keys([1], 1));
    const now = sealerWith(SHOP, keys([1, 2], 2));
    const former = before.seal(place, "ferritin 12");
    const fresh = now.sealJson(place, { ferritin: 12 });
    expect([versionOf(former, place), versionOf(fresh, place)]).toEqual([1, 2]);
    expect(now.open(place, former).toString()).toBe("ferritin 12");
    expect(now.openJson(place, fresh)).toEqual({ ferritin: 12 });
    expect(now.open(place, now.seal(place, Buffer.from([0, 255])))).toEqual(Buffer.from([0, 255]));
  });

  test("says that a key is unknown when its version is not at hand", () => {
    const sealed = sealerWith(SHOP, keys([1, 2], 2)).seal(place, "x");
    const open = () => sealerWith(SHOP, keys([1], 1)).open(place, sealed);
    expect(open).toThrow(KeyUnknown);
    expect(open).not.toThrow(KeyDestroyed);
    expect(() => sealerWith(SHOP, keys([], 0)).seal(place, "x")).toThrow(KeyUnknown);
  });

  test("says that its keys were destroyed when none is left, and opens nothing", () => {
    const sealed = sealerWith(SHOP, keys([1], 1)).seal(place, "x");
    expect(() => sealerWith(SHOP, keys([], 0)).open(place, sealed)).toThrow(KeyDestroyed);
  });

  test("says that a key is damaged, and opens what others sealed", () => {
    const both = keys([1, 2], 2);
    const [former, fresh] = [sealerWith(SHOP, keys([1], 1)), sealerWith(SHOP, both)].map((one) =>
      one.seal(place, "x"),
    );
    const now = sealerWith(SHOP, { ...both, damaged: new Set([2]) });
    expect(now.open(place, former ?? expect.unreachable()).toString()).toBe("x");
    expect(() => now.open(place, fresh ?? expect.unreachable())).toThrow(KeyDamaged);
    expect(() => now.seal(place, "x")).toThrow(KeyDamaged);
  });

  test("seals for 90 s after its keys were read, and opens for longer", () => {
    const sealed = sealerWith(SHOP, keys([1], 1)).seal(place, "x");
    const readAgo = (ms: number) => sealerWith(SHOP, keys([1], 1, performance.now() - ms));
    expect(readAgo(89_000).open(place, readAgo(89_000).seal(place, "x")).toString()).toBe("x");
    expect(() => readAgo(90_100).seal(place, "x")).toThrow(KeyUnknown);
    expect(readAgo(90_100).open(place, sealed).toString()).toBe("x");
  });

  test("leaves what the shop's former key sealed to whoever has that key", () => {
    const former = sealerWith(SHOP, keys([0], 0)).seal(place, "x");
    const sealer = sealerWith(SHOP, keys([1], 1), () => Buffer.from("opened"));
    expect(sealer.open(place, former).toString()).toBe("opened");
    expect(sealer.open(place, sealer.seal(place, "y")).toString()).toBe("y");
    expect(() => sealerWith(SHOP, keys([1], 1)).open(place, former)).toThrow(KeyUnknown);
  });

  test("opens nothing of another shop", () => {
    const sealed = sealerWith(SHOP, keys([1], 1)).seal(place, "x");
    expect(() => sealerWith("two.myshopify.com", keys([1], 1)).open(place, sealed)).toThrow();
  });
});

test("a wrapped key opens by the key and for the owner that it was wrapped with, whole", () => {
  const wrapped = sealWith(key(1), "a", Buffer.alloc(32, 9));
  expect(wrapped).toHaveLength(12 + 16 + 32);
  expect(openWith(key(1), "a", wrapped)).toEqual(Buffer.alloc(32, 9));
  expect(() => openWith(key(2), "a", wrapped)).toThrow();
  expect(() => openWith(key(1), "b", wrapped)).toThrow();
  expect(() => openWith(key(1), "a", wrapped.subarray(0, 59))).toThrow();
  const inside = new Uint8Array(Buffer.concat([Buffer.alloc(3), wrapped]));
  expect(openWith(key(1), "a", inside.subarray(3))).toEqual(Buffer.alloc(32, 9));
});
