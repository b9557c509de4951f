import { describe, expect, it } from "vitest";
import { isAllowed, scopeGroups } from "./access.ts";
import { loadAdminSchema } from "./schema.ts";

describe("scopeGroups", () => {
  it.each([
    [
      "`read_orders` access scope or `read_marketplace_orders` access scope.",
      [["read_orders", "read_marketplace_orders"]],
    ],
    [
      "`write_orders` access scope. Also: The app must have the `write_pos_staff_member_event_attribution_overrides` access scope to assign events to another staff member.",
      [["write_orders"]],
    ],
    [
      "`write_draft_orders` access scope. Also: Requires `write_orders` access scope.",
      [["write_draft_orders"], ["write_orders"]],
    ],
    [
      "`write_products` access scope as well as any of `write_own_subscription_contracts`, `write_purchase_options` access scopes.",
      [["write_products"], ["write_own_subscription_contracts", "write_purchase_options"]],
    ],
    ["User session and api client must be valid.", []],
  ])("reads %s", (sentence, groups) => {
    expect(scopeGroups(sentence)).toEqual(groups);
  });

  it("finds a scope in nearly every sentence of the schema that names one", () => {
    const sentences = [...loadAdminSchema().requiredAccess.values()].filter((text) =>
      /^`(read|write)_/.test(text),
    );
    expect(sentences.length).toBeGreaterThan(500);
    expect(sentences.filter((text) => scopeGroups(text).length === 0)).toEqual([]);
  });
});

describe("isAllowed", () => {
  it("takes write for read, never read for write", () => {
    expect(isAllowed("`read_orders` access scope.", ["write_orders"])).toBe(true);
    expect(isAllowed("`write_orders` access scope.", ["read_orders"])).toBe(false);
  });

  it("needs one scope of every group", () => {
    const both = "`write_draft_orders` access scope. Also: Requires `write_orders` access scope.";
    expect(isAllowed(both, ["write_draft_orders"])).toBe(false);
    expect(isAllowed(both, ["write_draft_orders", "write_orders"])).toBe(true);
  });
});
