/** The roles of staff. */
export const STAFF_ROLES = ["manager", "reviewer", "support"] as const;
export type StaffRole = (typeof STAFF_ROLES)[number];

/** The deeds that not every member of staff may do. Everything else is everybody's. */
export const STAFF_RIGHTS = [
  "see_results",
  "release_results",
  "see_phones",
  "export_data",
  "erase_data",
  "change_policies",
  "change_credentials",
  "assign_roles",
] as const;
export type StaffRight = (typeof STAFF_RIGHTS)[number];

const RIGHTS: Record<StaffRole, readonly StaffRight[]> = {
  manager: STAFF_RIGHTS,
  reviewer: ["see_results", "release_results", "see_phones"],
  support: [],
};

/** A member of staff who has opened the app. */
export interface StaffMember {
  /** `staff:` and Shopify's user id. */
  staff: string;
  name: string;
  isAccountOwner: boolean;
  /** The role that a manager gave; null as long as nobody has. */
  role: StaffRole | null;
  /** When Shopify last told who this is. */
  identifiedAt: Date;
}

/** The account's owner is a manager whatever was chosen; somebody unknown, or without a role, is support. */
export const roleOf = (member: Pick<StaffMember, "isAccountOwner" | "role"> | null): StaffRole =>
  member?.isAccountOwner ? "manager" : (member?.role ?? "support");

/** Whether a role brings a right. Use cases ask may-do.ts, which finds the role. */
export const hasRight = (role: StaffRole, right: StaffRight): boolean =>
  RIGHTS[role].includes(right);

export interface StaffRepository {
  find(staff: string): Promise<StaffMember | null>;
  /** By name, at most `limit`. */
  list(limit: number): Promise<StaffMember[]>;
  /** Notes who somebody is, as Shopify says. Their role stays. */
  identify(member: Pick<StaffMember, "staff" | "name" | "isAccountOwner">, at: Date): Promise<void>;
  setRole(staff: string, role: StaffRole): Promise<void>;
}
