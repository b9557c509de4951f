import { Prisma } from "../../../generated/prisma/client.ts";
import { parseEnum } from "../../../platform/database/parse-enum.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import { unanswered } from "../../../platform/database/unanswered.ts";
import type { ConsentRepository } from "../consent-repository.ts";
import { UNIT_OWNERS } from "../unit-owner.ts";

export function consentRepository({ tx, shop }: Scope): ConsentRepository {
  return {
    async add(requestId, consent) {
      const { givenBy, version, wording, givenAt } = consent;
      await unanswered(
        tx,
        Prisma.sql`
        INSERT INTO consents (shop, request_id, given_by, version, wording, given_at)
        VALUES (${shop}, ${requestId}::uuid, ${givenBy}, ${version}, ${wording}::text[], ${givenAt})`,
      );
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
