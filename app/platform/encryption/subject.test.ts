import { expect, test } from "vitest";
import { parseSubject, type Subject, subjectName, WHOLE_SHOP } from "./subject.ts";

const SUBJECTS: [Subject, string][] = [
  [{ request: "r" }, "request r"],
  [{ order: "gid://shopify/Order/1" }, "order gid://shopify/Order/1"],
  [{ export: "7" }, "export 7"],
  [{ customer: "c" }, "customer c"],
  [{ patient: "p q" }, "patient p q"],
];

test("names whose key it is, the same in every version of this program, and reads it back", () => {
  for (const [subject, name] of SUBJECTS) {
    expect(subjectName(subject)).toBe(name);
    expect(parseSubject(name)).toEqual(subject);
  }
});

test("gives nobody a key without an id: all of them would share it", () => {
  expect(() => subjectName({ request: "" })).toThrow("A subject needs an id");
  expect(() => subjectName({} as Subject)).toThrow("A subject needs an id");
});

test.each(["shop", "messages", "hashes", "", "request", "a_later_kind 1"])(
  "takes %j for no subject of its own",
  (name) => {
    expect(parseSubject(name)).toBeNull();
  },
);

test("notes an erased shop by the word that every version of this program reads", () => {
  expect(WHOLE_SHOP).toBe("shop");
});
