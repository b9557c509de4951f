import { z } from "zod";
import { parseEnum } from "../../../platform/database/parse-enum.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import {
  BATCH_KINDS,
  BATCH_OUTCOMES,
  BATCH_STATES,
  type Batch,
  type BatchKind,
  type BatchOutcome,
  type BatchRepository,
  type NewBatchItem,
} from "../batch.ts";
import type { Actor } from "../timeline.ts";

type BatchRow = NonNullable<Awaited<ReturnType<Scope["tx"]["batch"]["findUnique"]>>>;

const ITEMS_PER_INSERT = 1_000;
const REPORTS_KEPT_MS = 90 * 24 * 3_600_000;

/** Actions on orders may go on side by side: each order is locked by itself, and small ones need not wait for large ones. */
const isAlone = (kind: BatchKind) => kind !== "order_action";

/** Named as when these were rows of mapping runs: what was sealed then still opens. */
const sealedField = (batchId: string, position: number) => ({
  table: "mapping_run_rows",
  column: "clinical_notes",
  row: `${batchId} ${position}`,
});

const dueRows = z.array(
  z.object({
    position: z.number(),
    subject: z.string(),
    detail: z.unknown(),
    sealed: z.instanceof(Uint8Array).nullable(),
  }),
);

/** The rest goes with the next batch. */
const FORGOTTEN_AT_ONCE = 100;

export function batchRepository({ tx, shop, sealer }: Scope): BatchRepository {
  const find = async (id: string) => {
    const row = await tx.batch.findUnique({ where: { shop_id: { shop, id } } });
    return row && toBatch(row);
  };
  /** One at a time: whoever starts a batch looks after whoever started the last. */
  const isBusy = async (kind: BatchKind) => {
    if (!isAlone(kind)) return false;
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`batch ${shop} ${kind}`}, 0))`;
    return (await tx.batch.count({ where: { shop, kind, state: "running" } })) > 0;
  };
  const insert = async (batchId: string, items: NewBatchItem[], after: number) => {
    for (let from = 0; from < items.length; from += ITEMS_PER_INSERT)
      await tx.batchItem.createMany({
        data: items.slice(from, from + ITEMS_PER_INSERT).map((item, index) => {
          const { subject, detail, outcome = null, message = null, sealed } = item;
          const position = after + from + index + 1;
          const detailSealed =
            sealed === undefined ? null : sealer.sealJson(sealedField(batchId, position), sealed);
          const json = jsonOf(detail);
          return { shop, batchId, position, subject, detail: json, detailSealed, outcome, message };
        }),
        // A row that waits already stays as it is.
        skipDuplicates: true,
      });
  };
  /** Reports are kept for a while; those of older batches go. */
  const forgetBefore = async (at: Date) => {
    const where = { shop, createdAt: { lt: at }, state: { notIn: ["collecting", "running"] } };
    const old = await tx.batch.findMany({ where, select: { id: true }, take: FORGOTTEN_AT_ONCE });
    if (old.length === 0) return;
    const ids = old.map((batch) => batch.id);
    await tx.batchItem.deleteMany({ where: { shop, batchId: { in: ids } } });
    await tx.batch.deleteMany({ where: { shop, id: { in: ids } } });
  };
  return {
    find,
    async add({ plan, ...batch }, items) {
      if (batch.state === "running" && (await isBusy(batch.kind))) return false;
      await forgetBefore(new Date(batch.createdAt.getTime() - REPORTS_KEPT_MS));
      await tx.batch.create({ data: { shop, ...batch, plan: jsonOf(plan) } });
      await insert(batch.id, items, 0);
      return true;
    },
    async countsOf(id) {
      const groups = await tx.batchItem.groupBy({
        by: ["outcome"],
        where: { shop, batchId: id },
        _count: true,
      });
      const of = (outcome: BatchOutcome | null) =>
        groups.find((group) => group.outcome === outcome)?._count ?? 0;
      return {
        done: of("done"),
        nothing_to_do: of("nothing_to_do"),
        refused: of("refused"),
        failed: of("failed"),
        waiting: of(null),
        total: groups.reduce((sum, group) => sum + group._count, 0),
      };
    },
    async latest(kind, { plan = {}, since } = {}) {
      const row = await tx.batch.findFirst({
        where: {
          ...{ shop, kind, state: { not: "draft" } },
          ...(since ? { createdAt: { gte: since } } : {}),
          AND: Object.entries(plan).map(([name, equals]) => ({ plan: { path: [name], equals } })),
        },
        orderBy: { createdAt: "desc" },
      });
      return row && toBatch(row);
    },
    async lockCollecting(id) {
      const held = await tx.$executeRaw`
        SELECT FROM batches WHERE shop = ${shop} AND id = ${id}::uuid AND state = 'collecting' FOR UPDATE`;
      return held > 0 ? find(id) : null;
    },
    async collect(id, items, cursor) {
      const last = await tx.batchItem.aggregate({
        where: { shop, batchId: id },
        _max: { position: true },
      });
      await insert(id, items, last._max.position ?? 0);
      const state = cursor === null ? "running" : "collecting";
      await tx.batch.update({ where: { shop_id: { shop, id } }, data: { cursor, state } });
    },
    async move(id, from, to, at) {
      const batch = await find(id);
      if (!batch || (to === "running" && (await isBusy(batch.kind)))) return false;
      const finishedAt = to === "done" || to === "cancelled" ? at : null;
      const { count } = await tx.batch.updateMany({
        where: { shop, id, state: { in: from } },
        data: { state: to, finishedAt },
      });
      return count > 0;
    },
    async cancelAll(at) {
      await tx.batch.updateMany({
        where: { shop, state: { in: ["collecting", "running"] } },
        data: { state: "cancelled", finishedAt: at },
      });
    },
    async takeDue(id) {
      const [due] = dueRows.parse(
        await tx.$queryRaw`
          SELECT i.position, i.subject, i.detail, i.detail_sealed AS sealed
          FROM batch_items i
          JOIN batches b ON b.shop = i.shop AND b.id = i.batch_id AND b.state = 'running'
          JOIN shops s ON s.shop = i.shop AND s.uninstalled_at IS NULL
          WHERE i.shop = ${shop} AND i.batch_id = ${id}::uuid AND i.outcome IS NULL
          ORDER BY i.position LIMIT 1 FOR UPDATE OF i SKIP LOCKED`,
      );
      if (!due) return null;
      const { sealed, ...item } = due;
      if (!sealed) return item;
      return { ...item, sealed: sealer.openJson(sealedField(id, item.position), sealed) };
    },
    async settle(id, position, { outcome, message = null, detail }) {
      await tx.batchItem.updateMany({
        where: { shop, batchId: id, position, outcome: null },
        data: { outcome, message, ...(detail === undefined ? {} : { detail: jsonOf(detail) }) },
      });
    },
    async finish(id, finishedAt) {
      const count = await tx.$executeRaw`
        UPDATE batches SET state = 'done', finished_at = ${finishedAt}
        WHERE shop = ${shop} AND id = ${id}::uuid AND state = 'running' AND NOT EXISTS (
          SELECT FROM batch_items i
          WHERE i.shop = ${shop} AND i.batch_id = ${id}::uuid AND i.outcome IS NULL)`;
      return count > 0;
    },
    async pageBefore(id, { after, limit, outcome }) {
      const last = await tx.batchItem.findFirst({
        where: { shop, batchId: id, position: { lte: after }, ...withOutcome(outcome) },
        orderBy: { position: "desc" },
        skip: limit,
        select: { position: true },
      });
      return last?.position ?? 0;
    },
    async items(id, { after, limit, outcome }) {
      const rows = await tx.batchItem.findMany({
        where: { shop, batchId: id, position: { gt: after }, ...withOutcome(outcome) },
        orderBy: { position: "asc" },
        take: limit,
      });
      return rows.map(({ position, subject, detail, message, outcome: found }) => ({
        ...{ position, subject, detail, message },
        outcome: found === null ? null : parseEnum(BATCH_OUTCOMES, found),
      }));
    },
  };
}

const withOutcome = (outcome: BatchOutcome | "waiting" | undefined) =>
  outcome ? { outcome: outcome === "waiting" ? null : outcome } : {};

/** Prisma takes JSON as plain objects of its own type. */
const jsonOf = (value: unknown): NonNullable<BatchRow["plan"]> =>
  JSON.parse(JSON.stringify(value ?? {}));

function toBatch({ shop: _, actor, kind, state, ...row }: BatchRow): Batch {
  return {
    ...row,
    actor: actor as Actor,
    kind: parseEnum(BATCH_KINDS, kind),
    state: parseEnum(BATCH_STATES, state),
  };
}
