import type { Scope } from "../../../platform/database/scope.ts";
import { isInItsTime } from "../../kernel/secret.ts";
import type { StepUpRepository } from "../step-up.ts";

/** Rows older than every count are deleted when the next code is made. */
const KEPT_MS = 48 * 3_600_000;

const codeField = (id: string) => ({ table: "step_up_codes", column: "code", row: id });

export function stepUpRepository({ tx, shop, sealer }: Scope): StepUpRepository {
  const bytes = (hash: Buffer) => new Uint8Array(hash);
  return {
    codeHash: (id, code) => sealer.fingerprint(codeField(id), code),
    async lock(recipient) {
      const name = `step-up ${shop} ${recipient.toString("hex")}`;
      await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`;
    },
    async add({ id, requestId, at, expiresAt, ...code }) {
      const sessionHash = bytes(code.sessionHash);
      const recipient = bytes(code.recipient);
      const before = new Date(at.getTime() - KEPT_MS);
      await tx.stepUpCode.deleteMany({ where: { shop, recipient, createdAt: { lt: before } } });
      await tx.stepUpCode.updateMany({
        where: { shop, sessionHash, endedAt: null },
        data: { endedAt: at },
      });
      const codeHash = bytes(code.codeHash);
      await tx.stepUpCode.create({
        data: { shop, id, requestId, recipient, sessionHash, codeHash, expiresAt, createdAt: at },
      });
    },
    async takeBack(id, at) {
      await tx.stepUpCode.deleteMany({ where: { shop, id, failedTries: 0 } });
      await tx.stepUpCode.updateMany({ where: { shop, id, endedAt: null }, data: { endedAt: at } });
    },
    async live(sessionHash, now) {
      const row = await tx.stepUpCode.findFirst({
        where: { shop, sessionHash: bytes(sessionHash), endedAt: null, expiresAt: { gt: now } },
        orderBy: { createdAt: "desc" },
      });
      if (!row || !isInItsTime("step_up_code", row.expiresAt, now)) return null;
      return { id: row.id, codeHash: Buffer.from(row.codeHash), at: row.createdAt };
    },
    async since(recipient, since) {
      const rows = await tx.stepUpCode.findMany({
        where: { shop, recipient: bytes(recipient), createdAt: { gt: since } },
        orderBy: { createdAt: "asc" },
        select: { createdAt: true, failedTries: true },
      });
      return rows.map(({ createdAt, failedTries }) => ({ at: createdAt, failedTries }));
    },
    async countFailure(id) {
      await tx.stepUpCode.update({
        where: { shop_id: { shop, id } },
        data: { failedTries: { increment: 1 } },
      });
    },
    async end(id, at) {
      await tx.stepUpCode.update({ where: { shop_id: { shop, id } }, data: { endedAt: at } });
    },
  };
}
