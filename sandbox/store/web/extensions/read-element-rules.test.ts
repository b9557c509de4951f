import { beforeAll, describe, expect, it } from "vitest";
import { type ElementRules, isAllowed, type PropertyRule } from "./element-rules.ts";
import { readElementRules } from "./read-element-rules.ts";

let rules: ElementRules;
beforeAll(() => {
  rules = readElementRules("customer-account.page.render");
});

function property(tag: string, name: string): PropertyRule {
  const rule = rules[tag]?.properties[name];
  if (!rule) throw new Error(`${tag}.${name} is not in the types`);
  return rule;
}

describe("readElementRules", () => {
  it("reads properties, events and methods of Shopify's types", () => {
    expect(rules["s-modal"]).toMatchObject({
      properties: {
        heading: { kind: "string" },
        padding: { kind: "string", values: ["base", "none"] },
      },
      events: ["afterhide", "aftershow", "hide", "show"],
      methods: ["hideOverlay"],
    });
    expect(property("s-checkbox", "checked").kind).toBe("boolean");
    expect(property("s-choice-list", "values").kind).toBe("array");
    expect(property("s-progress", "max").kind).toBe("number");
  });

  it.each([
    ["s-button", "variant", "primary", true],
    ["s-button", "variant", "loud", false],
    ["s-stack", "gap", "small-200", true],
    ["s-stack", "gap", "base none", true],
    ["s-stack", "gap", "huge", false],
    ["s-stack", "gap", "@container (inline-size > 500px) large, small", true],
    ["s-box", "inlineSize", "50%", true],
    ["s-box", "inlineSize", "50em", false],
    ["s-text-field", "autocomplete", "given-name", true],
    ["s-text-field", "autocomplete", "section-a given-name", true],
    ["s-button", "disabled", true, true],
    ["s-text", "tone", undefined, true],
  ])("%s.%s=%s is allowed: %s", (tag, name, value, allowed) => {
    expect(isAllowed(property(tag, name), value)).toBe(allowed);
  });

  it("refuses a target that Shopify does not have", () => {
    expect(() => readElementRules("customer-account.nowhere.render")).toThrow();
  });
});
