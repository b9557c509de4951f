import { z } from "zod";
import { parseEnum } from "../../../platform/database/parse-enum.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import { gid } from "../../kernel/ids.ts";
import type { Actor } from "../../kernel/timeline.ts";
import { orderedItemsSchema } from "../../referrals/ordered-items.ts";
import { ENVIRONMENTS, type Environment } from "../../shops/connection.ts";
import type { MappingChanged, MappingChangeRepository, MappingPlace } from "../mapping-change.ts";

type ChangeRow = NonNullable<Awaited<ReturnType<Scope["tx"]["mappingChange"]["findFirst"]>>>;

const KINDS = ["order", "ignored", "unmapped"] as const;

const meaningSchema = z.union([
  z.object({
    kind: z.literal("order"),
    items: orderedItemsSchema,
    clinicalNotes: z.string().nullable(),
    preparation: z.string().nullable(),
  }),
  z.object({ kind: z.literal("ignored") }),
]);

const lastRows = z.array(
  z.object({ changeId: z.string(), became: z.enum(KINDS), title: z.string() }),
);

export function mappingChangeRepository({ tx, shop, sealer }: Scope): MappingChangeRepository {
  return {
    async add({ before, ...change }) {
      const { changeId, environment, productId, at, actor, became, undoes } = change;
      const variantId = subjectOf(change);
      const beforeSealed =
        before && sealer.sealJson(fieldOf({ changeId, environment, variantId }), before);
      await tx.mappingChange.create({
        data: {
          ...{ shop, changeId, environment, variantId, productId, at, actor, became, undoes },
          beforeSealed,
        },
      });
    },
    async of(changeId, { sold, limit = MAX_PLACES } = {}) {
      const rows = await tx.mappingChange.findMany({
        where: { shop, changeId, ...(sold ? { variantId: sold } : {}) },
        orderBy: { id: "desc" },
        take: limit,
      });
      return rows.map((row) => toChange(row, sealer));
    },
    async history(place, limit) {
      const { environment, productId } = place;
      const subjects = [subjectOf(place), productId];
      return readChanges({ tx, shop, sealer }, { environment, subjects, limit });
    },
    async latestOf(place) {
      const row = await tx.mappingChange.findFirst({
        where: { shop, environment: place.environment, variantId: subjectOf(place) },
        select: { changeId: true, actor: true, undoes: true },
        orderBy: { id: "desc" },
      });
      return row && { ...row, actor: row.actor as Actor };
    },
    async lastOf(actor, { environment, since, productId }) {
      const [last] = lastRows.parse(
        await tx.$queryRaw`
          SELECT c.change_id AS "changeId", c.became,
                 concat_ws(' – ', v.product_title,
                   CASE WHEN c.variant_id <> c.product_id THEN v.variant_title END) AS title
          FROM mapping_changes c
          LEFT JOIN LATERAL (
            SELECT product_title, variant_title FROM store_variants v
            WHERE v.shop = ${shop} AND (v.variant_id = c.variant_id OR v.product_id = c.variant_id) LIMIT 1
          ) v ON true
          WHERE c.shop = ${shop} AND c.environment = ${environment} AND c.undoes IS NULL
            AND c.change_id = (
              SELECT change_id FROM mapping_changes own
              WHERE own.shop = ${shop} AND own.environment = ${environment} AND own.actor = ${actor} AND own.at >= ${since}
                AND (${productId ?? null}::text IS NULL OR own.product_id = ${productId ?? null})
              ORDER BY own.id DESC LIMIT 1)
            AND NOT EXISTS (SELECT FROM batches b WHERE b.shop = ${shop} AND b.id = c.change_id)
            AND NOT EXISTS (
              SELECT FROM mapping_changes later WHERE later.shop = ${shop} AND later.environment = c.environment
                AND later.variant_id = c.variant_id AND later.id > c.id)
          ORDER BY c.id LIMIT 1`,
      );
      return last ?? null;
    },
  };
}

/** The changes of these variants and products, the latest first. */
export async function readChanges(
  { tx, shop, sealer }: Pick<Scope, "tx" | "shop" | "sealer">,
  of: { environment: Environment; subjects: string[]; limit: number },
): Promise<MappingChanged[]> {
  const rows = await tx.mappingChange.findMany({
    where: { shop, environment: of.environment, variantId: { in: of.subjects } },
    orderBy: { id: "desc" },
    take: of.limit,
  });
  return rows.map((row) => toChange(row, sealer));
}

/** One save changes a product and the variant that it was saved from, at most. */
const MAX_PLACES = 10;

const subjectOf = ({ variantId, productId }: MappingPlace) => variantId ?? productId;

const fieldOf = (row: Pick<ChangeRow, "changeId" | "environment" | "variantId">) => ({
  table: "mapping_changes",
  column: "before",
  row: `${row.changeId} ${row.environment} ${row.variantId}`,
});

function toChange(row: ChangeRow, sealer: Scope["sealer"]): MappingChanged {
  const { changeId, at, undoes, beforeSealed } = row;
  return {
    ...{ changeId, at, undoes },
    environment: parseEnum(ENVIRONMENTS, row.environment),
    productId: gid("Product", row.productId),
    variantId: row.variantId === row.productId ? null : gid("ProductVariant", row.variantId),
    actor: row.actor as Actor,
    became: parseEnum(KINDS, row.became),
    before: beforeSealed && meaningSchema.parse(sealer.openJson(fieldOf(row), beforeSealed)),
  };
}
