import { describe, expect, it } from "vitest";
import { localPath } from "./http.ts";

describe("localPath", () => {
  it("keeps paths of this site", () => {
    expect(localPath("/account/orders/1?key=x", "/home")).toBe("/account/orders/1?key=x");
  });
  it.each(["https://evil.example", "//evil.example", "/\\evil.example", "javascript:alert(1)", ""])(
    "does not follow %s",
    (value) => {
      expect(localPath(value, "/home")).toBe("/home");
    },
  );
});
