import { parseEnum } from "../../../platform/database/parse-enum.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import { ACCESS_KINDS, ACCESS_PARTIES, type AccessLogRepository } from "../access-log.ts";

export function accessLogRepository({ tx, shop }: Scope): AccessLogRepository {
  return {
    async add(...entries) {
      await tx.accessEntry.createMany({ data: entries.map((entry) => ({ shop, ...entry })) });
    },
    async forRequests(requestIds, limit) {
      const rows = await tx.accessEntry.findMany({
        where: { shop, requestId: { in: [...requestIds] } },
        orderBy: { id: "desc" },
        take: limit,
      });
      return rows.map(({ at, who, actor, what, requestId, subjectId }) => ({
        at,
        who: parseEnum(ACCESS_PARTIES, who),
        actor,
        what: parseEnum(ACCESS_KINDS, what),
        requestId,
        subjectId,
      }));
    },
  };
}
