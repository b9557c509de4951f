import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { fromJsonBytes, toJsonBytes } from "./json-bytes.ts";

const text = (length: number) => "a".repeat(length - 2);

test("reads back what it wrote, long or short", () => {
  for (const value of ["", null, 0, { name: "Ada" }, text(511), text(512), text(100_000)])
    expect(fromJsonBytes(toJsonBytes(value))).toEqual(value);
});

test("makes what is long shorter, and leaves as plain JSON what gains nothing by it", () => {
  expect(toJsonBytes(text(511))).toHaveLength(511);
  expect(toJsonBytes(text(512)).length).toBeLessThan(100);
  // Letters of several alphabets, as by chance.
  let seed = 1;
  const upTo = (most: number) => {
    seed = (seed * 48_271) % 0x7fffffff;
    return seed % most;
  };
  const letter = () =>
    upTo(5) < 3 ? 35 + upTo(57) : upTo(2) < 1 ? 0xa1 + upTo(1_500) : 0x800 + upTo(0xc000);
  const value = String.fromCodePoint(...Array.from({ length: 400 }, letter));
  expect(toJsonBytes(value)).toEqual(Buffer.from(JSON.stringify(value)));
  expect(fromJsonBytes(toJsonBytes(value))).toBe(value);
});

test("reads the plain JSON of earlier versions, whatever its length", () => {
  expect(fromJsonBytes(Buffer.from(JSON.stringify(text(5_000))))).toBe(text(5_000));
  expect(fromJsonBytes(Buffer.from("7"))).toBe(7);
});

test("opens nothing that would fill the memory", () => {
  const much = gzipSync(Buffer.alloc(64 * 1024 * 1024 + 1, 0x20));
  expect(() => fromJsonBytes(much)).toThrow(RangeError);
});
