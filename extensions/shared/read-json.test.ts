import { describe, expect, test } from "vitest";
import {
  flag,
  listOf,
  oneOf,
  optional,
  shape,
  text,
  textOrNumber,
  UnreadableAnswer,
} from "./read-json.ts";

const readThing = shape({
  id: text,
  ready: flag,
  note: optional(text),
  parts: listOf(shape({ size: textOrNumber })),
  colour: oneOf(["red", "blue", "other"] as const, "other"),
});

describe("readers", () => {
  test("give the fields they know and leave the others", () => {
    expect(
      readThing(
        { id: "a", ready: true, parts: [{ size: 2 }, { size: "<3" }], colour: "blue", more: 1 },
        "",
      ),
    ).toEqual({
      id: "a",
      ready: true,
      note: null,
      parts: [{ size: "2" }, { size: "<3" }],
      colour: "blue",
    });
  });

  test("read a word they do not know as the one set aside for that", () => {
    expect(readThing({ id: "a", ready: true, parts: [], colour: "mauve" }, "").colour).toBe(
      "other",
    );
  });

  test.each([
    [{ ready: true, parts: [], colour: "red" }, "id: expected string"],
    [{ id: "a", ready: "yes", parts: [], colour: "red" }, "ready: expected boolean"],
    [
      { id: "a", ready: true, parts: [{ size: "1" }, {}], colour: "red" },
      "parts[1].size: expected string",
    ],
    [{ id: "a", ready: true, parts: {}, colour: "red" }, "parts: expected a list"],
    [{ id: "a", ready: true, note: 5, parts: [], colour: "red" }, "note: expected string"],
    [null, ": expected object"],
  ])("name the place of what is wrong: %j", (value, message) => {
    expect(() => readThing(value, "")).toThrow(
      new UnreadableAnswer(
        message.split(":")[0] ?? "",
        message.slice(message.indexOf("expected ") + 9),
      ),
    );
  });

  test("never repeat a value, which may be health data", () => {
    expect(() => readThing({ id: 4711, ready: true, parts: [], colour: "red" }, "")).toThrow(
      /^(?!.*4711)/,
    );
  });
});
