import { expect, test } from "vitest";
import { storable } from "./storable.ts";

test("what no text of JSON in PostgreSQL may hold is replaced, in values and in names", () => {
  const told = JSON.parse(
    String.raw`{"a\u0000b": ["x\ud800", {"\udc00": 1}], "__proto__": "y\u0000"}`,
  );
  const written = JSON.stringify(storable(told));
  expect(written).toBe('{"a\ufffdb":["x\ufffd",{"\ufffd":1}],"__proto__":"y\ufffd"}');
});
