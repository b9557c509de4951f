import { describe, expect, it } from "vitest";
import { readResponsive, StyleRules, space } from "./css-values.ts";

describe("readResponsive", () => {
  it("splits a container query at the comma outside brackets", () => {
    expect(readResponsive("@container (inline-size > 500px) repeat(2, 1fr), 1fr")).toEqual({
      condition: "(inline-size > 500px)",
      conditional: "repeat(2, 1fr)",
      fallback: "1fr",
    });
  });
  it("keeps the container's name", () => {
    expect(readResponsive("@container page (inline-size > 40rem) large, small").condition).toBe(
      "page (inline-size > 40rem)",
    );
  });
  it("leaves plain values alone", () => {
    expect(readResponsive("1fr 2fr")).toEqual({
      fallback: "1fr 2fr",
      condition: null,
      conditional: "",
    });
  });
});

describe("StyleRules", () => {
  it("writes plain and conditional declarations", () => {
    const style = new StyleRules(".box");
    style.add("gap", "@container (inline-size > 9px) large, small-200 none", space);
    style.add("color", "");
    expect(String(style)).toBe(".box{gap:8px 0;}@container (inline-size > 9px){.box{gap:20px}}");
  });
});
