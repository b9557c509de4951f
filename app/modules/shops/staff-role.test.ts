import { expect, test } from "vitest";
import { hasRight, roleOf, STAFF_RIGHTS, STAFF_ROLES, type StaffRole } from "./staff-role.ts";

test.each<[StaffRole, readonly string[]]>([
  ["manager", STAFF_RIGHTS],
  ["reviewer", ["see_results", "release_results", "see_phones"]],
  ["support", []],
])("lets a %s do what the role names, and nothing else of it", (role, rights) => {
  expect(STAFF_RIGHTS.filter((right) => hasRight(role, right))).toEqual(rights);
});

test("takes the account's owner for a manager, whatever role was given", () => {
  for (const role of [...STAFF_ROLES, null])
    expect(roleOf({ isAccountOwner: true, role })).toBe("manager");
});

test("takes everybody else for what they were made, and for support until then", () => {
  for (const role of STAFF_ROLES) expect(roleOf({ isAccountOwner: false, role })).toBe(role);
  expect(roleOf({ isAccountOwner: false, role: null })).toBe("support");
  expect(roleOf(null)).toBe("support");
});
