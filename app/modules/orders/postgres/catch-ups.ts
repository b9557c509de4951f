import type { Prisma } from "../../../generated/prisma/client.ts";
import { parseEnum } from "../../../platform/database/parse-enum.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import type { CatchUp, CatchUpAsker, CatchUpRepository } from "../catch-up.ts";

type CatchUpRow = NonNullable<Awaited<ReturnType<Scope["tx"]["catchUp"]["findUnique"]>>>;

export function catchUpRepository({ tx, shop }: Scope): CatchUpRepository {
  const latest = async (where: Prisma.CatchUpWhereInput) => {
    const row = await tx.catchUp.findFirst({
      where: { shop, ...where },
      orderBy: { startedAt: "desc" },
    });
    return row && toCatchUp(row);
  };
  return {
    async start(catchUp) {
      const { count } = await tx.catchUp.createMany({
        data: [{ shop, ...catchUp }],
        skipDuplicates: true,
      });
      return count > 0 ? this.find(catchUp.id) : null;
    },
    async find(id) {
      const row = await tx.catchUp.findUnique({ where: { shop_id: { shop, id } } });
      return row && toCatchUp(row);
    },
    running: () => latest({ state: "running" }),
    latest: (by) => latest(by ? { askedBy: { startsWith: by } } : {}),
    async record(id, pages, { seen, imported, changed, reached, cursor }, at) {
      const { count } = await tx.catchUp.updateMany({
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
      await tx.catchUp.updateMany({ where: { shop, id, state: "running" }, data: { failure } });
    },
    async cancel(id, finishedAt) {
      const { count } = await tx.catchUp.updateMany({
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

function toCatchUp({ shop: _, askedBy, state, ...row }: CatchUpRow): CatchUp {
  return {
    ...row,
    askedBy: askedBy as CatchUpAsker,
    state: parseEnum(["running", "done", "cancelled"], state),
  };
}
