import { z } from "zod";
import { Prisma } from "../../../generated/prisma/client.ts";
import { oneOf } from "../../../platform/database/one-of.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import { gid } from "../../kernel/ids.ts";
import { ENVIRONMENTS } from "../../shops/connection.ts";
import {
  type MappingRun,
  type MappingRunRepository,
  ROW_OUTCOMES,
  RUN_KINDS,
  RUN_STATES,
  type RunCounts,
  type RunRow,
} from "../run.ts";

const ROWS_PER_INSERT = 1_000;

const changeSchema = z.union([
  z.object({
    kind: z.literal("order"),
    items: z.object({
      bundleId: z.string().nullable(),
      tests: z.array(z.string()),
      medicareTests: z.array(z.string()),
      practitioner: z
        .object({ name: z.string(), address: z.string(), providerNumber: z.string() })
        .nullable(),
    }),
  }),
  z.object({ kind: z.enum(["ignored", "unmapped"]) }),
]);

const dueRows = z.array(
  z.object({
    position: z.number(),
    variantId: z.string().transform((value) => gid("ProductVariant", value)),
    productId: z.string().transform((value) => gid("Product", value)),
    change: changeSchema,
    notes: z.instanceof(Uint8Array).nullable(),
  }),
);
const notesSchema = z.string().nullable();
const countRows = z.array(
  z.object({ outcome: z.enum(ROW_OUTCOMES).nullable(), count: z.number() }),
);

export function mappingRunRepository({ tx, shop, sealer }: Scope): MappingRunRepository {
  const lock = () =>
    tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`mapping run ${shop}`}, 0))`;
  const isAnyRunning = async () =>
    (await tx.mappingRun.count({ where: { shop, state: "running" } })) > 0;
  const countsOf = async (id: string): Promise<RunCounts> => {
    const found = countRows.parse(
      await tx.$queryRaw`
        SELECT outcome, count(*)::int AS count FROM mapping_run_rows
        WHERE shop = ${shop} AND run_id = ${id}::uuid GROUP BY 1`,
    );
    const of = (outcome: string | null) => found.find((row) => row.outcome === outcome)?.count ?? 0;
    return {
      saved: of("saved"),
      unchanged: of("unchanged"),
      refused: of("refused"),
      open: of(null),
      total: found.reduce((sum, row) => sum + row.count, 0),
    };
  };
  return {
    async add(run, rows) {
      await lock();
      if (run.state === "running" && (await isAnyRunning())) return false;
      await tx.mappingRun.create({ data: { shop, ...run } });
      for (let from = 0; from < rows.length; from += ROWS_PER_INSERT) {
        const data = rows.slice(from, from + ROWS_PER_INSERT).map(({ change, ...row }) => ({
          ...row,
          shop,
          runId: run.id,
          change: change ? jsonOf(change) : Prisma.DbNull,
          clinicalNotesSealed:
            change?.kind === "order" && change.clinicalNotes !== undefined
              ? sealer.sealJson(notesField(run.id, row.position), change.clinicalNotes)
              : null,
        }));
        await tx.mappingRunRow.createMany({ data });
      }
      return true;
    },
    async find(id) {
      const row = await tx.mappingRun.findUnique({ where: { shop_id: { shop, id } } });
      return row && { ...toRun(row), counts: await countsOf(id) };
    },
    async latest(environment) {
      const row = await tx.mappingRun.findFirst({
        where: { shop, environment, state: { not: "draft" } },
        orderBy: { createdAt: "desc" },
      });
      return row && { ...toRun(row), counts: await countsOf(row.id) };
    },
    async move(id, from, to, at) {
      await lock();
      if (to === "running" && (await isAnyRunning())) return false;
      const finishedAt = to === "done" || to === "cancelled" ? at : null;
      const { count } = await tx.mappingRun.updateMany({
        where: { shop, id, state: { in: from } },
        data: { state: to, finishedAt },
      });
      return count > 0;
    },
    async takeDue(id) {
      const found = dueRows.parse(
        await tx.$queryRaw`
          SELECT r.position, r.variant_id AS "variantId", r.product_id AS "productId", r.change,
                 r.clinical_notes_sealed AS notes
          FROM mapping_run_rows r
          JOIN mapping_runs run ON run.shop = r.shop AND run.id = r.run_id AND run.state = 'running'
          WHERE r.shop = ${shop} AND r.run_id = ${id}::uuid AND r.outcome IS NULL
          ORDER BY r.position LIMIT 1 FOR UPDATE OF r SKIP LOCKED`,
      );
      const [due] = found;
      if (!due) return null;
      const { notes, change, ...row } = due;
      if (!notes || change.kind !== "order") return { ...row, change };
      const opened = sealer.openJson(notesField(id, row.position), notes);
      return { ...row, change: { ...change, clinicalNotes: notesSchema.parse(opened) } };
    },
    async settle(id, position, outcome, message) {
      await tx.mappingRunRow.update({
        where: { shop_runId_position: { shop, runId: id, position } },
        data: { outcome, message },
      });
    },
    async rows(id, { after, limit, outcome }) {
      const found = await tx.mappingRunRow.findMany({
        where: {
          shop,
          runId: id,
          position: { gt: after },
          ...(outcome ? { outcome: outcome === "open" ? null : outcome } : {}),
        },
        orderBy: { position: "asc" },
        take: limit,
      });
      return found.map(toRow);
    },
    async forgetBefore(at) {
      const old = await tx.mappingRun.findMany({
        where: { shop, createdAt: { lt: at }, state: { not: "running" } },
        select: { id: true },
      });
      const ids = old.map((run) => run.id);
      await tx.mappingRunRow.deleteMany({ where: { shop, runId: { in: ids } } });
      await tx.mappingRun.deleteMany({ where: { shop, id: { in: ids } } });
    },
  };
}

type RunRecord = NonNullable<Awaited<ReturnType<Scope["tx"]["mappingRun"]["findUnique"]>>>;
type RowRecord = NonNullable<Awaited<ReturnType<Scope["tx"]["mappingRunRow"]["findUnique"]>>>;

const notesField = (runId: string, position: number) => ({
  table: "mapping_run_rows",
  column: "clinical_notes",
  row: `${runId} ${position}`,
});

/** As Prisma takes JSON, without the notes: plain objects of its own type. */
const jsonOf = (change: NonNullable<RunRow["change"]>): Prisma.InputJsonObject =>
  change.kind === "order"
    ? {
        kind: change.kind,
        items: {
          ...change.items,
          practitioner: change.items.practitioner && { ...change.items.practitioner },
        },
      }
    : { kind: change.kind };

function toRun({ id, fileName, createdAt, finishedAt, ...row }: RunRecord): MappingRun {
  return {
    id,
    fileName,
    createdAt,
    finishedAt,
    environment: oneOf(ENVIRONMENTS, row.environment),
    kind: oneOf(RUN_KINDS, row.kind),
    state: oneOf(RUN_STATES, row.state),
  };
}

function toRow(row: RowRecord): RunRow {
  const { position, line, label, was, becomes, field, message } = row;
  return {
    position,
    line,
    label,
    was,
    becomes,
    field,
    message,
    variantId: row.variantId === null ? null : gid("ProductVariant", row.variantId),
    productId: row.productId === null ? null : gid("Product", row.productId),
    change: row.change === null ? null : changeSchema.parse(row.change),
    outcome: row.outcome === null ? null : oneOf(ROW_OUTCOMES, row.outcome),
  };
}
