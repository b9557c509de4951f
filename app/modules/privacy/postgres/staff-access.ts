import { parseEnum } from "../../../platform/database/parse-enum.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import { latestMade } from "../../kernel/secret.ts";
import { STAFF_ACCESS_REASONS, type StaffAccessRepository } from "../staff-access.ts";

export function staffAccessRepository({ tx, shop }: Scope): StaffAccessRepository {
  return {
    async add(access) {
      await tx.staffAccess.create({ data: { shop, ...access } });
    },
    async open(requestId, staff, now) {
      const row = await tx.staffAccess.findFirst({
        where: { shop, requestId, staff, until: { gt: now }, openedAt: { lte: latestMade(now) } },
        orderBy: { until: "desc" },
      });
      if (!row) return null;
      const { shop: _, reason, ...access } = row;
      return { ...access, reason: parseEnum(STAFF_ACCESS_REASONS, reason) };
    },
  };
}
