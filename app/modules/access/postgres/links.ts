import { parseEnum } from "../../../platform/database/parse-enum.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import { isInItsTime } from "../../kernel/secret.ts";
import {
  type AccessLink,
  LAPSED_SESSION_MS,
  LINK_KINDS,
  type LinkKind,
  type LinkRepository,
  MAIL_UNRECORDED_MS,
  STOP_KINDS,
} from "../link.ts";
import { LINK_PURPOSES } from "../link-purpose.ts";
import { endedBefore, noteEnded } from "./ended-before.ts";

type LinkRow = NonNullable<Awaited<ReturnType<Scope["tx"]["patientLink"]["findUnique"]>>>;

const LETS_IN: LinkKind[] = ["guest", "handover"];
const OF_PATIENTS: LinkKind[] = ["handover", STOP_KINDS.patient];

/** An address has one fingerprint within a shop. */
const RECIPIENT = { table: "patient_links", column: "recipient", row: "" };

export function linkRepository({ tx, shop, sealer, restoreJournal }: Scope): LinkRepository {
  /** A link that ended in a database that is lost has ended in this one. */
  const toLink = async (row: LinkRow): Promise<AccessLink> => ({
    ...inThisDatabase(row),
    usedAt: row.usedAt ?? (await endedBefore({ restoreJournal }, row.id, "used")),
    supersededAt: row.supersededAt ?? (await endedBefore({ restoreJournal }, row.id, "superseded")),
    revokedAt: row.revokedAt ?? (await endedBefore({ restoreJournal }, row.id, "revoked")),
  });
  const bytes = (hash: Buffer) => new Uint8Array(hash);
  return {
    async create({ tokenHash, recipient, at, ...link }) {
      const hashes = { tokenHash: bytes(tokenHash), recipient: bytes(recipient) };
      await tx.patientLink.create({ data: { shop, ...link, ...hashes, createdAt: at } });
    },
    recipientOf: (email) => sealer.fingerprint(RECIPIENT, email.trim().toLowerCase()),
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
          supersededAt: null,
          expiresAt: { gt: now },
        },
        data: { usedAt: now },
      });
      noteEnded({ restoreJournal }, { ids: rows.map(({ id }) => id), end: "used", at: now });
      return rows[0] ? toLink(rows[0]) : null;
    },
    async markMailed(ids, at) {
      await tx.patientLink.updateMany({
        where: { shop, id: { in: [...ids] }, mailedAt: null },
        data: { mailedAt: at },
      });
    },
    async supersede(by, { requestIds, purposes, besides }, at) {
      const unrecorded = new Date(by.createdAt.getTime() - MAIL_UNRECORDED_MS);
      const ended = await tx.patientLink.updateManyAndReturn({
        where: {
          shop,
          id: { notIn: [...besides] },
          requestId: { in: requestIds },
          kind: by.kind,
          purpose: { in: [...purposes] },
          OR: [
            { mailedAt: { lte: by.createdAt } },
            { mailedAt: null, createdAt: { lte: unrecorded } },
          ],
          supersededAt: null,
        },
        data: { supersededAt: at },
        select: { id: true },
      });
      noteEnded({ restoreJournal }, { ids: ended.map(({ id }) => id), end: "superseded", at });
    },
    async revokeInvitations(requestIds, at) {
      const ended = await tx.patientLink.updateManyAndReturn({
        where: {
          shop,
          requestId: { in: [...requestIds] },
          kind: { in: OF_PATIENTS },
          revokedAt: null,
        },
        data: { revokedAt: at },
        select: { id: true },
      });
      noteEnded({ restoreJournal }, { ids: ended.map(({ id }) => id), end: "revoked", at });
    },
    async saveSession({ secretHash, linkId, expiresAt, at }) {
      const before = new Date(at.getTime() - LAPSED_SESSION_MS);
      await tx.patientSession.deleteMany({ where: { shop, expiresAt: { lte: before } } });
      await tx.patientSession.create({
        data: { shop, secretHash: bytes(secretHash), linkId, expiresAt },
      });
    },
    async findSession(secretHash, now) {
      const session = await tx.patientSession.findUnique({
        where: { shop_secretHash: { shop, secretHash: bytes(secretHash) } },
      });
      if (!session) return null;
      const row = await tx.patientLink.findUnique({
        where: { shop_id: { shop, id: session.linkId } },
      });
      const link = row && (await toLink(row));
      if (!link || link.revokedAt || !isInItsTime("guest_session", session.expiresAt, now))
        return null;
      return { link, steppedUpAt: session.steppedUpAt };
    },
    async findLapsedSession(secretHash, now) {
      const session = await tx.patientSession.findUnique({
        where: { shop_secretHash: { shop, secretHash: bytes(secretHash) } },
      });
      const since = session ? now.getTime() - session.expiresAt.getTime() : 0;
      const goesOn = session && isInItsTime("guest_session", session.expiresAt, now);
      if (!session || goesOn || since > LAPSED_SESSION_MS) return null;
      const row = await tx.patientLink.findUnique({
        where: { shop_id: { shop, id: session.linkId } },
      });
      const link = row && (await toLink(row));
      return link && !link.revokedAt ? { link, steppedUpAt: null } : null;
    },
    async stepUpSession(secretHash, at) {
      await tx.patientSession.updateMany({
        where: { shop, secretHash: bytes(secretHash) },
        data: { steppedUpAt: at },
      });
    },
    async endSession(secretHash) {
      await tx.patientSession.deleteMany({ where: { shop, secretHash: bytes(secretHash) } });
    },
    async endSessionsOf(requestIds, kind) {
      const links = await tx.patientLink.findMany({
        where: { shop, requestId: { in: [...requestIds] }, ...(kind && { kind }) },
        select: { id: true },
      });
      const { count } = await tx.patientSession.deleteMany({
        where: { shop, linkId: { in: links.map(({ id }) => id) } },
      });
      return count;
    },
  };
}

function inThisDatabase({ kind, purpose, recipient, ...row }: LinkRow): AccessLink {
  return {
    id: row.id,
    requestId: row.requestId,
    kind: parseEnum(LINK_KINDS, kind),
    purpose: parseEnum(LINK_PURPOSES, purpose),
    recipient: recipient && Buffer.from(recipient),
    expiresAt: row.expiresAt,
    usedAt: row.usedAt,
    revokedAt: row.revokedAt,
    supersededAt: row.supersededAt,
    createdAt: row.createdAt,
  };
}
