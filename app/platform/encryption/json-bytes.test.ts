import { createHash } from "node:crypto";
import { deflateRawSync, gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { fromJsonBytes, toJsonBytes } from "./json-bytes.ts";
import { VOCABULARY } from "./json-vocabulary.ts";

const text = (length: number) => "a".repeat(length - 2);

/** Letters of several alphabets, as by chance. */
function letters(count: number): string {
  let seed = 1;
  const upTo = (most: number) => {
    seed = (seed * 48_271) % 0x7fffffff;
    return seed % most;
  };
  const letter = () =>
    upTo(5) < 3 ? 35 + upTo(57) : upTo(2) < 1 ? 0xa1 + upTo(1_500) : 0x800 + upTo(0xc000);
  return String.fromCodePoint(...Array.from({ length: count }, letter));
}

test("reads back what it wrote, long or short", () => {
  for (const value of ["", null, 0, { name: "Ada" }, text(512), letters(400), text(100_000)])
    expect(fromJsonBytes(toJsonBytes(value))).toEqual(value);
});

test("makes shorter what has our field names, and leaves as plain JSON what gains nothing", () => {
  const details = { patient: { firstName: "Ada", gender: "female", address: { city: "Perth" } } };
  expect(toJsonBytes(details).length).toBeLessThan(JSON.stringify(details).length / 2);
  expect(toJsonBytes(text(100_000)).length).toBeLessThan(200);
  for (const value of [7, "q", letters(3)])
    expect(toJsonBytes(value)).toEqual(Buffer.from(JSON.stringify(value)));
});

test("reads the plain JSON of earlier versions, whatever its length", () => {
  expect(fromJsonBytes(Buffer.from(JSON.stringify(text(5_000))))).toBe(text(5_000));
  expect(fromJsonBytes(Buffer.from("7"))).toBe(7);
});

test("reads the gzip of before", () => {
  const value = { patient: { firstName: "Ada" }, text: text(1_000) };
  expect(fromJsonBytes(gzipSync(JSON.stringify(value)))).toEqual(value);
});

test("reads for ever what was stored with the vocabulary, which is frozen", () => {
  const digest = createHash("sha256").update(VOCABULARY).digest("hex");
  expect(digest).toBe("1d1b922a13652b6b06e204b2782f6c31e29fbb0fa41e3f53fb992618b76ea83d");
  const stored = Buffer.from("AcPZMnJMScQWFbUA", "base64");
  expect(fromJsonBytes(stored)).toEqual({ patient: { firstName: "Ada", gender: "female" } });
});

test("opens nothing that would fill the memory", () => {
  const much = Buffer.alloc(64 * 1024 * 1024 + 1, 0x20);
  const marked = Buffer.concat([Buffer.of(1), deflateRawSync(much, { dictionary: VOCABULARY })]);
  for (const bytes of [gzipSync(much), marked])
    expect(() => fromJsonBytes(bytes)).toThrow(RangeError);
});
