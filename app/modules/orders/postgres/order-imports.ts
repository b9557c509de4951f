import type { Prisma } from "../../../generated/prisma/client.ts";
import { parseEnum } from "../../../platform/database/parse-enum.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import type { OrderImport, OrderImportRepository, OrderImportRequester } from "../order-import.ts";

type OrderImportRow = NonNullable<Awaited<ReturnType<Scope["tx"]["orderImport"]["findUnique"]>>>;

export function orderImportRepository({ tx, shop }: Scope): OrderImportRepository {
  const latest = async (where: Prisma.OrderImportWhereInput) => {
    const row = await tx.orderImport.findFirst({
      where: { shop, ...where },
      orderBy: { startedAt: "desc" },
    });
    return row && toOrderImport(row);
  };
  return {
    async start(orderImport) {
      const { count } = await tx.orderImport.createMany({
        data: [{ shop, ...orderImport }],
        skipDuplicates: true,
      });
      return count > 0 ? this.find(orderImport.id) : null;
    },
    async find(id) {
      const row = await tx.orderImport.findUnique({ where: { shop_id: { shop, id } } });
      return row && toOrderImport(row);
    },
    running: () => latest({ state: "running" }),
    latest: (by) => latest(by ? { askedBy: { startsWith: by } } : {}),
    async record(id, pages, { seen, imported, changed, reached, cursor }, at) {
      const { count } = await tx.orderImport.updateMany({
        where: { shop, id, pages, state: "running" },
        data: {
          seen: { increment: seen },
          imported: { increment: imported },
          changed: { increment: changed },
          pages: { increment: 1 },
          failure: null,
          reached,
          cursor,
          ...(cursor === null ? { state: "done", finishedAt: at } : {}),
        },
      });
      return count > 0;
    },
    async recordFailure(id, failure) {
      await tx.orderImport.updateMany({ where: { shop, id, state: "running" }, data: { failure } });
    },
    async cancel(id, finishedAt) {
      const { count } = await tx.orderImport.updateMany({
        where: { shop, id, state: "running" },
        data: { state: "cancelled", finishedAt },
      });
      return count > 0;
    },
    async news(orders) {
      const rows = await tx.order.findMany({
        where: { shop, orderId: { in: orders.map((order) => order.id) } },
        select: { orderId: true, storeUpdatedAt: true, redactedAt: true },
      });
      const known = new Map(rows.map((row) => [row.orderId, row]));
      const unknown = orders.filter((order) => order.paid && !known.has(order.id));
      const changed = orders.filter((order) => {
        const row = known.get(order.id);
        return (
          row && !row.redactedAt && !(row.storeUpdatedAt && row.storeUpdatedAt >= order.updatedAt)
        );
      });
      return { unknown: unknown.map(({ id }) => id), changed: changed.map(({ id }) => id) };
    },
  };
}

function toOrderImport({ shop: _, askedBy, state, ...row }: OrderImportRow): OrderImport {
  return {
    ...row,
    askedBy: askedBy as OrderImportRequester,
    state: parseEnum(["running", "done", "cancelled"], state),
  };
}
