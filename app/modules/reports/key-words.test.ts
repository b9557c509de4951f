import { expect, test } from "vitest";
import { describeKeyWork } from "./maintenance-words.ts";

test("says nothing about keys when nothing is left to be done", () => {
  expect(describeKeyWork({ resealed: null, erasures: 0 })).toEqual([]);
});

test("says how far the encryption with new keys is, and that erasures go on", () => {
  const sentences = describeKeyWork({ resealed: 1, erasures: 2 });
  expect(sentences).toEqual([
    "Stored data is being encrypted with new keys: 1 record so far. Everything works meanwhile.",
    "Deleted data is being made unreadable in backups as well. That takes up to an hour.",
  ]);
});
