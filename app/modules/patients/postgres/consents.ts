import { parseEnum } from "../../../platform/database/parse-enum.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import type { ConsentRepository } from "../consent-repository.ts";
import { UNIT_OWNERS } from "../unit-owner.ts";

export function consentRepository({ tx, shop }: Scope): ConsentRepository {
  return {
    async add(requestId, consent) {
      await tx.consent.create({ data: { shop, requestId, ...consent } });
    },
    async forRequest(requestId) {
      const rows = await tx.consent.findMany({
        where: { shop, requestId },
        orderBy: { givenAt: "asc" },
      });
      return rows.map(({ givenBy, version, wording, givenAt }) => ({
        givenBy: parseEnum(UNIT_OWNERS, givenBy),
        version,
        wording,
        givenAt,
      }));
    },
  };
}
