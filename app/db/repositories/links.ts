import {
  LINK_KINDS,
  type LinkKind,
  type LinkRepository,
  type PatientLink,
  STOP_KINDS,
} from "../../domain/links/link.ts";
import { oneOf } from "../one-of.ts";
import type { Scope } from "./scope.ts";

type LinkRow = NonNullable<Awaited<ReturnType<Scope["tx"]["patientLink"]["findUnique"]>>>;

const LETS_IN: LinkKind[] = ["guest", "handover"];
const OF_PATIENTS: LinkKind[] = ["handover", STOP_KINDS.patient];

export function linkRepository({ tx, shop }: Scope): LinkRepository {
  const bytes = (hash: Buffer) => new Uint8Array(hash);
  return {
    async create({ id, tokenHash, requestId, kind, expiresAt, at }) {
      await tx.patientLink.create({
        data: { shop, id, tokenHash: bytes(tokenHash), requestId, kind, expiresAt, createdAt: at },
      });
    },
    async findByToken(tokenHash) {
      const row = await tx.patientLink.findUnique({
        where: { shop_tokenHash: { shop, tokenHash: bytes(tokenHash) } },
      });
      return row && toLink(row);
    },
    async find(id) {
      const row = await tx.patientLink.findUnique({ where: { shop_id: { shop, id } } });
      return row && toLink(row);
    },
    async takeOnce(tokenHash, now) {
      const rows = await tx.patientLink.updateManyAndReturn({
        where: {
          shop,
          tokenHash: bytes(tokenHash),
          kind: { in: LETS_IN },
          usedAt: null,
          revokedAt: null,
          expiresAt: { gt: now },
        },
        data: { usedAt: now },
      });
      return rows[0] ? toLink(rows[0]) : null;
    },
    async revokeHandovers(requestId, at) {
      await tx.patientLink.updateMany({
        where: { shop, requestId, kind: { in: OF_PATIENTS }, revokedAt: null },
        data: { revokedAt: at },
      });
    },
    async saveSession({ secretHash, linkId, expiresAt }) {
      await tx.patientSession.create({
        data: { shop, secretHash: bytes(secretHash), linkId, expiresAt },
      });
    },
    async linkOfSession(secretHash, now) {
      const session = await tx.patientSession.findUnique({
        where: { shop_secretHash: { shop, secretHash: bytes(secretHash) } },
      });
      if (!session || session.expiresAt <= now) return null;
      const row = await tx.patientLink.findUnique({
        where: { shop_id: { shop, id: session.linkId } },
      });
      return row && row.revokedAt === null ? toLink(row) : null;
    },
    async endSession(secretHash) {
      await tx.patientSession.deleteMany({ where: { shop, secretHash: bytes(secretHash) } });
    },
  };
}

function toLink({ id, requestId, kind, expiresAt, usedAt, revokedAt }: LinkRow): PatientLink {
  return { id, requestId, kind: oneOf(LINK_KINDS, kind), expiresAt, usedAt, revokedAt };
}
