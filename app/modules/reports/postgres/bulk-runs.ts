import { oneOf } from "../../../platform/database/one-of.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import { gid } from "../../kernel/ids.ts";
import type { Actor } from "../../kernel/timeline.ts";
import { BULK_ACTIONS, BULK_OUTCOMES, type BulkRun, type BulkRunRepository } from "../bulk-run.ts";

type Row = NonNullable<Awaited<ReturnType<Scope["tx"]["bulkRun"]["findUnique"]>>>;

const SHOWN = 50;

export function bulkRunRepository({ tx, shop }: Scope): BulkRunRepository {
  const key = (id: string) => ({ shop_id: { shop, id } });
  const find = async (id: string) => {
    const row = await tx.bulkRun.findUnique({ where: key(id) });
    return row && toRun(row);
  };
  return {
    find,
    async add(run) {
      await tx.bulkRun.create({ data: { shop, ...run } });
    },
    async lock(id) {
      await tx.$executeRaw`SELECT FROM bulk_runs WHERE shop = ${shop} AND id = ${id}::uuid FOR UPDATE`;
      return find(id);
    },
    async change(id, change) {
      await tx.bulkRun.updateMany({ where: { shop, id }, data: change });
    },
    async note(runId, orders) {
      const { count } = await tx.bulkRunOrder.createMany({
        data: orders.map(({ orderId, reasons }) => ({ shop, runId, orderId, reasons })),
        skipDuplicates: true,
      });
      return count;
    },
    async waiting(runId, limit) {
      const rows = await tx.bulkRunOrder.findMany({
        where: { shop, runId, outcome: null },
        orderBy: { orderId: "asc" },
        take: limit,
        select: { orderId: true, reasons: true },
      });
      return rows.map(({ orderId, reasons }) => ({ orderId: gid("Order", orderId), reasons }));
    },
    async settle(runId, orderId, outcome) {
      await tx.bulkRunOrder.updateMany({ where: { shop, runId, orderId }, data: { outcome } });
    },
    async progress(id) {
      const run = await find(id);
      if (!run) return null;
      const groups = await tx.bulkRunOrder.groupBy({
        by: ["outcome"],
        where: { shop, runId: id, outcome: { not: null } },
        _count: true,
      });
      const countOf = (outcome: string) =>
        groups.find((group) => group.outcome === outcome)?._count ?? 0;
      const rows = await tx.bulkRunOrder.findMany({
        where: { shop, runId: id, outcome: { in: ["failed", "nothing_to_do"] } },
        orderBy: [{ outcome: "asc" }, { orderId: "asc" }],
        take: SHOWN,
      });
      const orders = await tx.order.findMany({
        where: { shop, orderId: { in: rows.map((row) => row.orderId) } },
        select: { orderId: true, name: true },
      });
      return {
        run,
        counts: {
          done: countOf("done"),
          nothing_to_do: countOf("nothing_to_do"),
          failed: countOf("failed"),
        },
        notDone: rows.map(({ orderId, outcome }) => ({
          orderId: gid("Order", orderId),
          orderName: orders.find((order) => order.orderId === orderId)?.name ?? "",
          outcome: oneOf(BULK_OUTCOMES, outcome ?? ""),
        })),
      };
    },
    async latest(since) {
      const row = await tx.bulkRun.findFirst({
        where: { shop, createdAt: { gte: since } },
        orderBy: { createdAt: "desc" },
      });
      return row && toRun(row);
    },
  };
}

function toRun(row: Row): BulkRun {
  const { id, selection, cursor, total, createdAt, finishedAt } = row;
  return {
    id,
    selection,
    cursor,
    total,
    createdAt,
    finishedAt,
    action: oneOf(BULK_ACTIONS, row.action),
    actor: row.actor as Actor,
    state: oneOf(["collecting", "running", "done"], row.state),
  };
}
