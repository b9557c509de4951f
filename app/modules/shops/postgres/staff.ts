import { parseEnum } from "../../../platform/database/parse-enum.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import { STAFF_ROLES, type StaffMember, type StaffRepository } from "../staff-role.ts";

export function staffRepository({ tx, shop }: Scope): StaffRepository {
  return {
    async find(staff) {
      const row = await tx.staffMember.findUnique({ where: { shop_staff: { shop, staff } } });
      return row && toMember(row);
    },
    async list(limit) {
      const rows = await tx.staffMember.findMany({
        where: { shop },
        orderBy: [{ name: "asc" }, { staff: "asc" }],
        take: limit,
      });
      return rows.map(toMember);
    },
    async identify({ staff, name, isAccountOwner }, at) {
      const told = { name, isAccountOwner, identifiedAt: at };
      await tx.staffMember.upsert({
        where: { shop_staff: { shop, staff } },
        create: { shop, staff, ...told },
        update: told,
      });
    },
    async setRole(staff, role) {
      await tx.staffMember.update({ where: { shop_staff: { shop, staff } }, data: { role } });
    },
  };
}

function toMember({
  role,
  ...row
}: Omit<StaffMember, "role"> & { role: string | null }): StaffMember {
  const { staff, name, isAccountOwner, identifiedAt } = row;
  return {
    ...{ staff, name, isAccountOwner, identifiedAt },
    role: role === null ? null : parseEnum(STAFF_ROLES, role),
  };
}
