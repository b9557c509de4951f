import { z } from "zod";
import type { Prisma } from "../../../generated/prisma/client.ts";
import { parseEnum } from "../../../platform/database/parse-enum.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import { gid } from "../../kernel/ids.ts";
import { type DataSubject, PRIVACY_REQUEST_KINDS } from "../../orders/privacy-request.ts";
import type { PrivacyRepository, PrivacyRequest } from "../privacy.ts";
import { gatherHeld } from "./data-exports.ts";
import { findOf } from "./data-subject.ts";
import { shownNow } from "./shown-now.ts";

const receiptSchema = z.record(z.string(), z.union([z.number(), z.string()])).nullable();
const exportField = (inboxId: string) => ({
  table: "privacy_duties",
  column: "package",
  row: inboxId,
});

const withoutExport = {
  inboxId: true,
  kind: true,
  customerId: true,
  orderIds: true,
  askedAt: true,
  openedAt: true,
  doneAt: true,
  receipt: true,
} satisfies Prisma.PrivacyRequestSelect;
type PrivacyRequestRow = Prisma.PrivacyRequestGetPayload<{ select: typeof withoutExport }>;

/** Taken up with one visit; the rest waits for the next. */
const MAX_UNDONE = 500;

export function privacyRepository(scope: Scope): PrivacyRepository {
  const { tx, shop, keys } = scope;
  const key = (inboxId: string) => ({ shop_inboxId: { shop, inboxId: BigInt(inboxId) } });
  /** Packages are large: whether there is one is asked apart from what is in it. */
  const packed = async (ids: bigint[]): Promise<Set<bigint>> => {
    const rows = await tx.privacyRequest.findMany({
      where: { shop, inboxId: { in: ids }, exportSealed: { not: null } },
      select: { inboxId: true },
    });
    return new Set(rows.map((row) => row.inboxId));
  };
  const withExports = async (rows: PrivacyRequestRow[]): Promise<PrivacyRequest[]> => {
    const have = await packed(rows.map((row) => row.inboxId));
    return rows.map((row) => toPrivacyRequest(row, have.has(row.inboxId)));
  };
  return {
    async open({ inboxId, ...asked }) {
      await tx.privacyRequest.createMany({
        data: [{ shop, inboxId: BigInt(inboxId), ...asked }],
        skipDuplicates: true,
      });
    },
    async find(inboxId) {
      const row = await tx.privacyRequest.findUnique({
        where: key(inboxId),
        select: withoutExport,
      });
      return row ? ((await withExports([row]))[0] ?? null) : null;
    },
    async firstCame(inboxId) {
      const [row] = await tx.$queryRaw<{ at: Date | null }[]>`
        SELECT min(earlier.received_at) AS at FROM inbox own
        JOIN inbox earlier ON earlier.body_digest = own.body_digest AND earlier.shop = own.shop
          AND earlier.topic = own.topic AND earlier.received_at < own.received_at
          AND earlier.state NOT IN ('refused', 'unreadable')
        WHERE own.shop = ${shop} AND own.id = ${BigInt(inboxId)}`;
      return row?.at ?? null;
    },
    async lock(inboxId) {
      await tx.$queryRaw`
        SELECT 1 FROM privacy_requests WHERE shop = ${shop} AND inbox_id = ${BigInt(inboxId)} FOR UPDATE`;
    },
    async undone() {
      const rows = await tx.$queryRaw<{ inboxId: bigint }[]>`
        SELECT inbox_id AS "inboxId" FROM privacy_requests
        WHERE shop = ${shop} AND done_at IS NULL ORDER BY opened_at LIMIT ${MAX_UNDONE}`;
      return rows.map((row) => String(row.inboxId));
    },
    async latest(count) {
      const rows = await tx.privacyRequest.findMany({
        where: { shop },
        orderBy: { openedAt: "desc" },
        take: count,
        select: withoutExport,
      });
      return withExports(rows);
    },
    async hold(inboxId, receipt) {
      // An operator may have said meanwhile what is to become of it.
      await tx.$executeRaw`
        UPDATE privacy_requests SET receipt = ${receipt}::jsonb
        WHERE shop = ${shop} AND inbox_id = ${BigInt(inboxId)} AND done_at IS NULL
          AND NOT coalesce(receipt, '{}') ? 'wanted'`;
    },
    async finish(inboxId, { at, receipt, dataExport: packed }) {
      const sealer = packed && (await keys.sealer({ export: inboxId }));
      const about =
        packed && sealer
          ? {
              customerId: packed.customerId,
              exportSealed: sealer.sealJson(exportField(inboxId), packed.held),
            }
          : { customerId: null, orderIds: [] };
      await tx.privacyRequest.update({
        where: key(inboxId),
        data: { doneAt: at, receipt, ...about },
      });
    },
    async openDataExport(inboxId) {
      const row = await tx.privacyRequest.findUnique({
        where: key(inboxId),
        select: { exportSealed: true, customerId: true, orderIds: true },
      });
      if (!row?.exportSealed) return null;
      const opener = await keys.opener({ export: inboxId });
      const held = opener.openJson(exportField(inboxId), row.exportSealed);
      return shownNow(scope, held, await findOf(scope, subjectOf(row)));
    },
    async keyWork() {
      const walk = await tx.resealing.findFirst({ where: { shop, finishedAt: null } });
      const erasures = await tx.tombstone.count({ where: { store: shop } });
      return { resealed: walk && Number(walk.sealedAnew), erasures };
    },
    gather: (subject, pdfs) => gatherHeld(scope, subject, pdfs),
  };
}

const subjectOf = (row: Pick<PrivacyRequestRow, "customerId" | "orderIds">): DataSubject => ({
  customerId: row.customerId === null ? null : gid("Customer", row.customerId),
  orderIds: row.orderIds.map((id) => gid("Order", id)),
});

function toPrivacyRequest(row: PrivacyRequestRow, hasExport: boolean): PrivacyRequest {
  const { inboxId, openedAt, doneAt } = row;
  return {
    inboxId: String(inboxId),
    kind: parseEnum(PRIVACY_REQUEST_KINDS, row.kind),
    ...subjectOf(row),
    askedAt: row.askedAt ?? openedAt,
    openedAt,
    doneAt,
    receipt: receiptSchema.parse(row.receipt),
    hasExport,
  };
}
