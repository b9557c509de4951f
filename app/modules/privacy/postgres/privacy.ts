import { z } from "zod";
import type { Prisma } from "../../../generated/prisma/client.ts";
import { parseEnum } from "../../../platform/database/parse-enum.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import { gid } from "../../kernel/ids.ts";
import { PRIVACY_DUTIES } from "../../orders/duty-desk.ts";
import type { PrivacyDuty, PrivacyRepository } from "../privacy.ts";
import { gatherHeld } from "./privacy-package.ts";

const receiptSchema = z.record(z.string(), z.union([z.number(), z.string()])).nullable();
const packageField = (inboxId: string) => ({
  table: "privacy_duties",
  column: "package",
  row: inboxId,
});

const withoutPackage = {
  inboxId: true,
  duty: true,
  customerId: true,
  orderIds: true,
  askedAt: true,
  openedAt: true,
  doneAt: true,
  receipt: true,
} satisfies Prisma.PrivacyDutySelect;
type DutyRow = Prisma.PrivacyDutyGetPayload<{ select: typeof withoutPackage }>;

export function privacyRepository(scope: Scope): PrivacyRepository {
  const { tx, shop, sealer } = scope;
  const key = (inboxId: string) => ({ shop_inboxId: { shop, inboxId: BigInt(inboxId) } });
  /** Packages are large: whether there is one is asked apart from what is in it. */
  const packed = async (ids: bigint[]): Promise<Set<bigint>> => {
    const rows = await tx.privacyDuty.findMany({
      where: { shop, inboxId: { in: ids }, packageSealed: { not: null } },
      select: { inboxId: true },
    });
    return new Set(rows.map((row) => row.inboxId));
  };
  const withPackages = async (rows: DutyRow[]): Promise<PrivacyDuty[]> => {
    const have = await packed(rows.map((row) => row.inboxId));
    return rows.map((row) => toDuty(row, have.has(row.inboxId)));
  };
  return {
    async open({ inboxId, ...duty }) {
      await tx.privacyDuty.createMany({
        data: [{ shop, inboxId: BigInt(inboxId), ...duty }],
        skipDuplicates: true,
      });
    },
    async find(inboxId) {
      const row = await tx.privacyDuty.findUnique({
        where: key(inboxId),
        select: withoutPackage,
      });
      return row ? ((await withPackages([row]))[0] ?? null) : null;
    },
    async undone() {
      const rows = await tx.privacyDuty.findMany({
        where: { shop, doneAt: null },
        orderBy: { openedAt: "asc" },
        select: { inboxId: true },
      });
      return rows.map((row) => String(row.inboxId));
    },
    async latest(count) {
      const rows = await tx.privacyDuty.findMany({
        where: { shop },
        orderBy: { openedAt: "desc" },
        take: count,
        select: withoutPackage,
      });
      return withPackages(rows);
    },
    async finish(inboxId, { at, receipt, package: packed }) {
      const about = packed
        ? {
            customerId: packed.customerId,
            packageSealed: sealer.sealJson(packageField(inboxId), packed.held),
          }
        : { customerId: null, orderIds: [] };
      await tx.privacyDuty.update({
        where: key(inboxId),
        data: { doneAt: at, receipt, ...about },
      });
    },
    async openPackage(inboxId) {
      const row = await tx.privacyDuty.findUnique({
        where: key(inboxId),
        select: { packageSealed: true },
      });
      return row?.packageSealed ? sealer.openJson(packageField(inboxId), row.packageSealed) : null;
    },
    gather: (subject) => gatherHeld(scope, subject),
  };
}

function toDuty(row: DutyRow, hasPackage: boolean): PrivacyDuty {
  const { inboxId, openedAt, doneAt } = row;
  return {
    inboxId: String(inboxId),
    duty: parseEnum(PRIVACY_DUTIES, row.duty),
    customerId: row.customerId === null ? null : gid("Customer", row.customerId),
    orderIds: row.orderIds.map((id) => gid("Order", id)),
    askedAt: row.askedAt ?? openedAt,
    openedAt,
    doneAt,
    receipt: receiptSchema.parse(row.receipt),
    hasPackage,
  };
}
