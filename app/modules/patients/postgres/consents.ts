import { hash } from "node:crypto";
import { Prisma } from "../../../generated/prisma/client.ts";
import { parseEnum } from "../../../platform/database/parse-enum.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import { unanswered } from "../../../platform/database/unanswered.ts";
import type { Consent, ConsentRepository } from "../consent-repository.ts";
import { UNIT_OWNERS } from "../unit-owner.ts";

export function consentRepository({ tx, shop }: Scope): ConsentRepository {
  return {
    async add(requestId, consent) {
      const { givenBy, version, wording, givenAt } = consent;
      const digest = hash("sha256", wording.join("\n"), "buffer");
      await unanswered(
        tx,
        Prisma.sql`
        WITH known AS (
          INSERT INTO notice_wordings (shop, digest, wording) VALUES (${shop}, ${digest}, ${wording}::text[])
          ON CONFLICT DO NOTHING
        )
        INSERT INTO consents (shop, request_id, given_by, version, wording, wording_digest, given_at)
        VALUES (${shop}, ${requestId}::uuid, ${givenBy}, ${version}, '{}', ${digest}, ${givenAt})`,
      );
    },
    async forRequest(requestId) {
      // A consent of an earlier version has its wording in its own row.
      const rows = await tx.$queryRaw<(Omit<Consent, "givenBy"> & { givenBy: string })[]>`
        SELECT c.given_by AS "givenBy", c.version, coalesce(w.wording, c.wording) AS wording, c.given_at AS "givenAt"
        FROM consents c LEFT JOIN notice_wordings w ON w.shop = ${shop} AND w.digest = c.wording_digest
        WHERE c.shop = ${shop} AND c.request_id = ${requestId}::uuid ORDER BY c.given_at`;
      return rows.map(({ givenBy, ...row }) => ({
        ...row,
        givenBy: parseEnum(UNIT_OWNERS, givenBy),
      }));
    },
  };
}
