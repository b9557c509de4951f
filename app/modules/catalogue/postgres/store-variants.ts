import { z } from "zod";
import { Prisma } from "../../../generated/prisma/client.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import { gid, type ShopDomain, type VariantId } from "../../kernel/ids.ts";
import { ENVIRONMENTS } from "../../shops/connection.ts";
import type { Mapping } from "../mapping.ts";
import {
  type ListedVariant,
  NOT_ON_SALE,
  type StoreVariantRepository,
  VARIANT_STATES,
  type VariantFilter,
} from "../store-variants.ts";
import { isAwaitingMapping } from "./awaiting-mapping.ts";
import { countCopies, findCopiedVariants } from "./copied-variants.ts";
import { joinMeaning } from "./meaning-of.ts";
import { dropOthers, dropUnmet, putVariants } from "./write-variants.ts";

const variantId = z.string().transform((value) => gid("ProductVariant", value));
const productId = z.string().transform((value) => gid("Product", value));

const rows = z.array(
  z.object({
    variantId,
    productId,
    productTitle: z.string(),
    variantTitle: z.string().nullable(),
    sku: z.string().nullable(),
    priceCents: z.number(),
    productStatus: z.string(),
    deletedAt: z.date().nullable(),
    state: z.enum(VARIANT_STATES),
    environment: z.enum(ENVIRONMENTS).nullable(),
    kind: z.enum(["order", "ignored"]).nullable(),
    bundleId: z.string().nullable(),
    tests: z.array(z.string()).nullable(),
    medicareTests: z.array(z.string()).nullable(),
    updatedAt: z.date().nullable(),
    providerNumber: z.string().nullable(),
    practitionerName: z.string().nullable(),
    practitionerAddress: z.string().nullable(),
    practitionerFault: z.string().nullable(),
    isInherited: z.boolean().nullable(),
    isException: z.boolean().nullable(),
  }),
);
type Row = z.infer<typeof rows>[number];

export function storeVariantRepository(scope: Scope): StoreVariantRepository {
  const { tx, shop } = scope;
  const read = async (query: Prisma.Sql) =>
    rows.parse(await tx.$queryRaw(query)).map(toListedVariant);
  return {
    async beginReading() {
      const [row] = await tx.$queryRaw<{ now: Date }[]>`SELECT clock_timestamp() AS now`;
      return z.date().parse(row?.now);
    },
    async reading() {
      return tx.storeReading.findUnique({ where: { shop } });
    },
    async saveReading(reading) {
      const { cursor, passStartedAt, completedAt, checkedThrough } = reading;
      const data = { cursor, passStartedAt, completedAt, checkedThrough };
      await tx.storeReading.upsert({
        where: { shop },
        create: { shop, ...data },
        update: data,
      });
    },
    put: (variants, at) => putVariants(scope, variants, at),
    dropOthers: (product, present, at) => dropOthers(scope, { product, present, at }),
    dropUnmet: (at) => dropUnmet(scope, at),
    async page(filter, place, limit) {
      const isBackwards = place !== null && "before" in place;
      const direction = isBackwards ? Prisma.sql`DESC` : Prisma.sql`ASC`;
      const from = place && ("before" in place ? place.before : place.after);
      const sign = isBackwards ? Prisma.sql`<` : Prisma.sql`>`;
      // A variant that has gone stays in the table, so an address that begins behind it still works.
      const beyond = from
        ? Prisma.sql`AND (v.sort_key, v.variant_id) ${sign} (
            SELECT sort_key, variant_id FROM store_variants WHERE shop = ${shop} AND variant_id = ${from})`
        : Prisma.empty;
      const found = await read(Prisma.sql`
        SELECT * FROM (${judged(shop, filter, beyond)}) judged
        ${filter.state ? Prisma.sql`WHERE state = ${filter.state}` : Prisma.empty}
        ORDER BY "sortKey" ${direction}, "variantId" ${direction} LIMIT ${limit + 1}`);
      const isMore = found.length > limit;
      const variants = found.slice(0, limit);
      if (isBackwards) variants.reverse();
      return {
        variants,
        hasNext: isBackwards || isMore,
        hasPrevious: isBackwards ? isMore : from !== null,
      };
    },
    async find(filter, id) {
      const only = Prisma.sql`AND v.variant_id = ${id}`;
      const [found] = await read(judged(shop, { ...filter, search: "" }, only));
      return found ?? null;
    },
    // From the mappings, of which few are broken, to their variants: every visit of home counts them.
    async countBroken({ environment, catalogue }) {
      const counted = await tx.$queryRaw<{ count: number }[]>`
        WITH broken AS (
          SELECT m.variant_id, m.product_id FROM mappings m
          LEFT JOIN practitioners p ON p.shop = m.shop AND p.provider_number = m.provider_number
          WHERE m.shop = ${shop} AND m.environment = ${environment} AND m.kind = 'order' AND ${isBroken(catalogue)})
        SELECT count(*)::int AS count FROM (
          SELECT v.product_status FROM broken b JOIN store_variants v ON v.shop = ${shop} AND v.variant_id = b.variant_id
          WHERE v.deleted_at IS NULL
          UNION ALL
          SELECT v.product_status FROM broken b JOIN store_variants v ON v.shop = ${shop} AND v.product_id = b.variant_id
          WHERE v.deleted_at IS NULL AND NOT EXISTS (
            SELECT FROM mappings own WHERE own.shop = ${shop} AND own.environment = ${environment}
              AND own.variant_id = v.variant_id)
        ) sold WHERE sold.product_status <> ALL(${NOT_ON_SALE}::text[])`;
      return counted[0]?.count ?? 0;
    },
    async some(filter, ids) {
      return read(
        judged(shop, { ...filter, search: "" }, Prisma.sql`AND v.variant_id = ANY(${ids}::text[])`),
      );
    },
    async ofProduct(filter, id) {
      const found = await read(
        judged(shop, { ...filter, search: "" }, Prisma.sql`AND v.product_id = ${id}`),
      );
      return found.toSorted((a, b) => (a.variantTitle ?? "").localeCompare(b.variantTitle ?? ""));
    },
    async counts(filter) {
      const counted = z.array(z.object({ state: z.enum(VARIANT_STATES), count: z.number() })).parse(
        await tx.$queryRaw`
            SELECT state, count(*)::int AS count
            FROM (${judged(shop, filter, Prisma.empty)}) judged GROUP BY 1`,
      );
      const of = (state: ListedVariant["state"]) =>
        counted.find((row) => row.state === state)?.count ?? 0;
      return {
        mapped: of("mapped"),
        unmapped: of("unmapped"),
        ignored: of("ignored"),
        broken: of("broken"),
      };
    },
    copiedVariants: (environment, ids) => findCopiedVariants(scope, environment, ids),
    countCopies: (environment) => countCopies(scope, environment),
    async bySku(skus) {
      const found = await tx.storeVariant.findMany({
        where: { shop, sku: { in: skus }, deletedAt: null },
        select: { sku: true, variantId: true },
      });
      const bySku = new Map<string, VariantId[]>();
      for (const { sku, variantId: id } of found)
        if (sku) bySku.set(sku, [...(bySku.get(sku) ?? []), gid("ProductVariant", id)]);
      return bySku;
    },
  };
}

/**
 * Variants with what each means in one environment. What the store no longer has is listed only as long as a
 * mapping still orders something for it, or an order waits to be told what it was.
 */
function judged(
  shop: ShopDomain,
  { environment, catalogue, search }: Omit<VariantFilter, "state">,
  condition: Prisma.Sql,
): Prisma.Sql {
  const patterns = search
    .toLowerCase()
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => `%${word.replace(/[\\%_]/g, "\\$&")}%`);
  return Prisma.sql`
    SELECT v.variant_id AS "variantId", v.product_id AS "productId", v.product_title AS "productTitle",
           v.variant_title AS "variantTitle", v.sku, v.price_cents AS "priceCents",
           v.product_status AS "productStatus", v.deleted_at AS "deletedAt", v.sort_key AS "sortKey",
           m.environment, m.kind, m.bundle_id AS "bundleId", m.tests, m.medicare_tests AS "medicareTests",
           m.is_inherited AS "isInherited", m.is_exception AS "isException",
           m.updated_at AS "updatedAt", m.provider_number AS "providerNumber",
           p.name AS "practitionerName", p.address AS "practitionerAddress",
           CASE WHEN m.provider_number IS NULL THEN NULL
                WHEN p.provider_number IS NULL THEN 'NOT_IN_REGISTRY' ELSE p.fault END AS "practitionerFault",
           CASE WHEN m.kind IS NULL THEN 'unmapped'
                WHEN m.kind = 'ignored' THEN 'ignored'
                WHEN v.deleted_at IS NOT NULL THEN 'broken'
                WHEN ${isBroken(catalogue)} THEN 'broken'
                ELSE 'mapped' END AS state
    FROM store_variants v ${joinMeaning(Prisma.sql`v`, environment)}
    LEFT JOIN practitioners p ON p.shop = v.shop AND p.provider_number = m.provider_number
    WHERE v.shop = ${shop} AND (v.deleted_at IS NULL OR (m.kind = 'order' AND NOT m.is_inherited) OR (m.kind IS NULL AND EXISTS (
        SELECT FROM order_lines l WHERE l.shop = ${shop} AND l.variant_id = v.variant_id AND ${isAwaitingMapping(shop)})))
      AND v.search_text LIKE ALL(${patterns}::text[]) ${condition}`;
}

/**
 * Whether what a mapping `m` with the practitioner `p` orders is not in the catalogue, or its practitioner is not taken. By a
 * set of the tests, because one list against another takes ten times as long.
 */
function isBroken(catalogue: VariantFilter["catalogue"]): Prisma.Sql {
  const tests = catalogue?.tests.map((test) => test.id) ?? [];
  const bundles = catalogue?.bundles.map((bundle) => bundle.id) ?? [];
  return Prisma.sql`(${catalogue !== null} AND (
      EXISTS (SELECT FROM unnest(m.tests || m.medicare_tests) t WHERE t NOT IN (SELECT unnest(${tests}::text[])))
      OR (m.bundle_id IS NOT NULL AND m.bundle_id <> ALL(${bundles}::text[])))
    OR m.provider_number IS NOT NULL AND (p.provider_number IS NULL OR p.fault IS NOT NULL))`;
}

function toListedVariant(row: Row): ListedVariant {
  const { state, productTitle, variantTitle, sku, priceCents, productStatus } = row;
  return {
    id: row.variantId,
    productId: row.productId,
    productTitle,
    variantTitle,
    sku,
    priceCents,
    productStatus,
    state,
    mapping: toMapping(row),
    isDeleted: row.deletedAt !== null,
    isException: row.isException ?? false,
    practitionerFault: row.practitionerFault,
  };
}

function toMapping(row: Row): Mapping | null {
  const { environment, kind, updatedAt, productId: product } = row;
  if (!environment || !kind || !updatedAt) return null;
  const variantId = row.isInherited ? null : row.variantId;
  const common = { environment, variantId, productId: product, updatedAt };
  if (kind === "ignored") return { ...common, kind };
  const { providerNumber, practitionerName: name, practitionerAddress: address } = row;
  const practitioner =
    providerNumber === null ? null : { providerNumber, name: name ?? "", address: address ?? "" };
  const { bundleId, tests, medicareTests } = row;
  return {
    ...common,
    kind,
    items: { bundleId, tests: tests ?? [], medicareTests: medicareTests ?? [], practitioner },
  };
}
