import { parseEnum } from "../../../platform/database/parse-enum.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import { REVEAL_REASONS, type RevealRepository } from "../reveal.ts";

export function revealRepository({ tx, shop }: Scope): RevealRepository {
  return {
    async add(reveal) {
      await tx.reveal.create({ data: { shop, ...reveal } });
    },
    async open(requestId, staff, now) {
      const row = await tx.reveal.findFirst({
        where: { shop, requestId, staff, until: { gt: now } },
        orderBy: { until: "desc" },
      });
      if (!row) return null;
      const { shop: _, reason, ...reveal } = row;
      return { ...reveal, reason: parseEnum(REVEAL_REASONS, reason) };
    },
  };
}
