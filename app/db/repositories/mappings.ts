import { z } from "zod";
import { ENVIRONMENTS } from "../../domain/connections/connection.ts";
import { gid } from "../../domain/ids.ts";
import type { CatalogueRepository } from "../../domain/mappings/catalogue.ts";
import type { Mapping, MappingRepository } from "../../domain/mappings/mapping.ts";
import type { CatalogueBundle, CatalogueTest } from "../../domain/referrals/snapshots.ts";
import { oneOf } from "../one-of.ts";
import { orderedItems, toItemColumns } from "./ordered-items.ts";
import type { Scope } from "./scope.ts";

type MappingRow = NonNullable<Awaited<ReturnType<Scope["tx"]["mapping"]["findUnique"]>>>;

export function mappingRepository({ tx, shop }: Scope): MappingRepository {
  const lockName = `mappings ${shop}`;
  return {
    async all(environment) {
      const rows = await tx.mapping.findMany({ where: { shop, environment } });
      return rows.map(toMapping);
    },
    async forVariants(environment, variantIds) {
      // See `save`: an order is not read past a mapping that is just being saved.
      await tx.$executeRaw`SELECT pg_advisory_xact_lock_shared(hashtextextended(${lockName}, 0))`;
      const rows = await tx.mapping.findMany({
        where: { shop, environment, variantId: { in: variantIds } },
      });
      return new Map(rows.map((row) => [gid("ProductVariant", row.variantId), toMapping(row)]));
    },
    async save(mapping) {
      // Waits for orders that are being matched, so that whoever saves then sees all that found no mapping.
      await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${lockName}, 0))`;
      const { environment, variantId, productId, kind } = mapping;
      const items =
        mapping.kind === "order"
          ? mapping.items
          : { bundleId: null, tests: [], medicareTests: [], practitioner: null };
      // Saved by somebody who sees the variant in the store.
      const data = { productId, kind, goneAt: null, ...toItemColumns(items) };
      await tx.mapping.upsert({
        where: { shop_environment_variantId: { shop, environment, variantId } },
        create: { shop, environment, variantId, ...data },
        update: data,
      });
    },
    async variantsOf(productId) {
      const rows = await tx.mapping.findMany({
        where: { shop, productId },
        distinct: ["variantId"],
        select: { variantId: true },
        orderBy: { variantId: "asc" },
      });
      return rows.map((row) => gid("ProductVariant", row.variantId));
    },
    async setGone({ productId, gone, at }) {
      await tx.mapping.updateMany({
        where: { shop, productId, variantId: { in: gone }, goneAt: null },
        data: { goneAt: at },
      });
      await tx.mapping.updateMany({
        where: { shop, productId, variantId: { notIn: gone }, goneAt: { not: null } },
        data: { goneAt: null },
      });
    },
    async remove(environment, variantId) {
      await tx.mapping.deleteMany({ where: { shop, environment, variantId } });
    },
  };
}

function toMapping(row: MappingRow): Mapping {
  const common = {
    environment: oneOf(ENVIRONMENTS, row.environment),
    productId: gid("Product", row.productId),
    variantId: gid("ProductVariant", row.variantId),
    updatedAt: row.updatedAt,
    goneAt: row.goneAt,
  };
  return oneOf(["order", "ignored"], row.kind) === "order"
    ? { ...common, kind: "order", items: orderedItems(row) }
    : { ...common, kind: "ignored" };
}

const testsSchema: z.ZodType<CatalogueTest[]> = z.array(
  z.object({
    id: z.string(),
    name: z.string(),
    shortName: z.string(),
    priceCents: z.number(),
    turnaround: z
      .object({ minimumDays: z.number().nullable(), maximumDays: z.number().nullable() })
      .nullable(),
  }),
);
const bundlesSchema: z.ZodType<CatalogueBundle[]> = z.array(
  z.object({
    id: z.string(),
    name: z.string(),
    tests: z.array(z.object({ id: z.string(), name: z.string() })),
  }),
);

export function catalogueRepository({ tx, shop }: Scope): CatalogueRepository {
  return {
    async find(environment) {
      const row = await tx.catalogue.findUnique({
        where: { shop_environment: { shop, environment } },
      });
      return (
        row && {
          environment,
          tests: testsSchema.parse(row.tests),
          bundles: bundlesSchema.parse(row.bundles),
          fetchedAt: row.fetchedAt,
        }
      );
    },
    async save({ environment, tests, bundles, fetchedAt }) {
      const data = {
        tests: tests.map((test) => ({ ...test })),
        bundles: bundles.map((bundle) => ({ ...bundle })),
        fetchedAt,
      };
      await tx.catalogue.upsert({
        where: { shop_environment: { shop, environment } },
        create: { shop, environment, ...data },
        update: data,
      });
    },
  };
}
