import { Prisma } from "../../../generated/prisma/client.ts";
import { parseEnum } from "../../../platform/database/parse-enum.ts";
import { assignments, rowsOf } from "../../../platform/database/rows-of.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import type { OrderImport, OrderImportRepository, OrderImportRequester } from "../order-import.ts";

type OrderImportRow = NonNullable<Awaited<ReturnType<Scope["tx"]["orderImport"]["findUnique"]>>>;

const readImports = rowsOf<OrderImportRow>(
  "order_imports",
  Object.values(Prisma.OrderImportScalarFieldEnum),
);
const readKnown = rowsOf<{
  orderId: string;
  storeUpdatedAt: Date | null;
  redactedAt: Date | null;
}>("orders", ["orderId", "storeUpdatedAt", "redactedAt"]);

export function orderImportRepository({ tx, shop }: Scope): OrderImportRepository {
  const latest = async (which: Prisma.Sql) => {
    const [row] = await readImports(
      tx,
      Prisma.sql`shop = ${shop} AND ${which} ORDER BY started_at DESC LIMIT 1`,
    );
    return row ? toOrderImport(row) : null;
  };
  /** Changes one that runs. False when it does not run any more. */
  const change = async (id: string, values: Prisma.Sql, also = Prisma.sql`true`) =>
    (await tx.$executeRaw`
      UPDATE order_imports SET ${values}
      WHERE shop = ${shop} AND id = ${id}::uuid AND state = 'running' AND ${also}`) > 0;
  return {
    async start(orderImport) {
      const { id, askedBy, since, until, startedAt } = orderImport;
      const added = await tx.$executeRaw`
        INSERT INTO order_imports (shop, id, asked_by, since, until, started_at)
        VALUES (${shop}, ${id}::uuid, ${askedBy}, ${since}, ${until}, ${startedAt}) ON CONFLICT DO NOTHING`;
      return added > 0 ? this.find(orderImport.id) : null;
    },
    async find(id) {
      const [row] = await readImports(tx, Prisma.sql`shop = ${shop} AND id = ${id}::uuid`);
      return row ? toOrderImport(row) : null;
    },
    running: () => latest(Prisma.sql`state = 'running'`),
    latest: (by) => latest(by ? Prisma.sql`starts_with(asked_by, ${by})` : Prisma.sql`true`),
    async record(id, pages, { seen, imported, changed, reached, cursor }, at) {
      const ended = cursor === null ? { state: "done", finishedAt: at } : {};
      return change(
        id,
        Prisma.sql`seen = seen + ${seen}, imported = imported + ${imported}, changed = changed + ${changed},
          pages = pages + 1, ${assignments({ failure: null, reached, cursor, ...ended })}`,
        Prisma.sql`pages = ${pages}`,
      );
    },
    async recordFailure(id, failure) {
      await change(id, assignments({ failure }));
    },
    async leaveCursor(id, cursor) {
      const values = Prisma.sql`since = coalesce(reached, since), cursor = NULL`;
      await change(id, values, Prisma.sql`cursor = ${cursor}`);
    },
    cancel: (id, finishedAt) => change(id, assignments({ state: "cancelled", finishedAt })),
    async news(orders) {
      const ids = orders.map((order) => order.id);
      const rows = await readKnown(
        tx,
        Prisma.sql`shop = ${shop} AND order_id = ANY(${ids}::text[])`,
      );
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
