import { z } from "zod";
import { Prisma } from "../../../generated/prisma/client.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import { unanswered } from "../../../platform/database/unanswered.ts";
import type { DraftRepository } from "../draft.ts";

const answersSchema = z.record(z.string(), z.string());

const answersField = (requestId: string, author: string) => ({
  table: "details_drafts",
  column: "answers",
  row: `${requestId} ${author}`,
});

export function draftRepository({ tx, shop, keys, sealer }: Scope): DraftRepository {
  const key = (requestId: string) => ({ shop_requestId: { shop, requestId } });
  return {
    authorOf: (who) =>
      sealer
        .fingerprint({ table: "details_drafts", column: "author", row: "" }, who)
        .toString("hex"),
    async keep({ requestId, author, answers, expiresAt }) {
      const requestSealer = await keys.sealer({ request: requestId });
      const answersSealed = requestSealer.sealJson(answersField(requestId, author), answers);
      const data = { author, answersSealed, expiresAt };
      await tx.detailsDraft.upsert({
        where: key(requestId),
        create: { shop, requestId, ...data },
        update: data,
      });
    },
    async find(requestId, author, now) {
      const row = await tx.detailsDraft.findUnique({ where: key(requestId) });
      if (!row || row.author !== author || row.expiresAt <= now) return null;
      const opener = await keys.opener({ request: requestId });
      return answersSchema.parse(
        opener.openJson(answersField(requestId, author), row.answersSealed),
      );
    },
    async remove(requestId) {
      await unanswered(
        tx,
        Prisma.sql`
        DELETE FROM details_drafts WHERE shop = ${shop} AND request_id = ${requestId}::uuid`,
      );
    },
  };
}
