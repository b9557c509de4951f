import type { ConsentRepository } from "../../modules/patients/consent-repository.ts";
import { HOLDERS } from "../../modules/patients/holder.ts";
import { oneOf } from "../one-of.ts";
import type { Scope } from "./scope.ts";

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
        givenBy: oneOf(HOLDERS, givenBy),
        version,
        wording,
        givenAt,
      }));
    },
  };
}
