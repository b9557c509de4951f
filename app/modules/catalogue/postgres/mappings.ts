import { z } from "zod";
import { Prisma } from "../../../generated/prisma/client.ts";
import { parseEnum } from "../../../platform/database/parse-enum.ts";
import { rowsOf } from "../../../platform/database/rows-of.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import { unanswered } from "../../../platform/database/unanswered.ts";
import { gid, type ProductId, type VariantId } from "../../kernel/ids.ts";
import type { OrderedItems, Practitioner } from "../../referrals/referral-service.ts";
import type { CatalogueBundle, CatalogueTest } from "../../referrals/snapshots.ts";
import { ENVIRONMENTS, type Environment } from "../../shops/connection.ts";
import type { CatalogueRepository } from "../catalogue.ts";
import type { Mapping, MappingRepository } from "../mapping.ts";
import { readOrderedTexts } from "./ordered-texts.ts";

type MappingRow = NonNullable<Awaited<ReturnType<Scope["tx"]["mapping"]["findUnique"]>>>;

const readMappings = rowsOf<MappingRow>("mappings", Object.values(Prisma.MappingScalarFieldEnum));

export function mappingRepository(scope: Scope): MappingRepository {
  const { tx, shop, sealer } = scope;
  const lockName = `mappings ${shop}`;
  /** A mapping names its practitioner by number; who that is says the registry. */
  const toMappings = async (rows: MappingRow[]) => {
    const numbers = rows.flatMap((row) => row.providerNumber ?? []);
    const found =
      numbers.length === 0
        ? []
        : await tx.practitioner.findMany({
            where: { shop, providerNumber: { in: numbers } },
            select: { name: true, address: true, providerNumber: true },
          });
    const practitioners = new Map(found.map((one) => [one.providerNumber, one]));
    return rows.map((row) => toMapping(row, practitioners, sealer));
  };
  const addPractitioner = ({ providerNumber, name, address }: Practitioner) =>
    tx.practitioner.createMany({
      data: [{ shop, providerNumber, name, address }],
      skipDuplicates: true,
    });
  /** Mappings by what they are for: a variant, or a product as a whole. */
  const bySubject = async (environment: Environment, subjects: (VariantId | ProductId)[]) => {
    if (subjects.length === 0) return new Map<string, Mapping>();
    const rows = await readMappings(
      tx,
      Prisma.sql`shop = ${shop} AND environment = ${environment} AND variant_id = ANY(${subjects}::text[])`,
    );
    const mappings = await toMappings(rows);
    return new Map<string, Mapping>(mappings.map((mapping) => [subjectOf(mapping), mapping]));
  };
  /** The products of variants, as the copy of the store's products has them. */
  const productsOf = async (variantIds: VariantId[]) => {
    if (variantIds.length === 0) return [];
    return productRows.parse(
      await tx.$queryRaw`
        SELECT variant_id AS "variantId", product_id AS "productId" FROM store_variants
        WHERE shop = ${shop} AND variant_id = ANY(${variantIds}::text[])`,
    );
  };
  const meaningsOf = async (
    environment: Environment,
    variantIds: VariantId[],
    products: ReadonlyMap<VariantId, ProductId> = new Map(),
  ) => {
    const own = await bySubject(environment, variantIds);
    const heirs = variantIds.filter((id) => !own.has(id));
    const known = new Map(products);
    for (const { variantId, productId } of await productsOf(heirs.filter((id) => !known.has(id))))
      known.set(variantId, productId);
    const whole = await bySubject(
      environment,
      heirs.flatMap((id) => known.get(id) ?? []),
    );
    const meanings = new Map<VariantId, Mapping>();
    for (const id of variantIds) {
      const mapping = own.get(id) ?? whole.get(known.get(id) ?? "");
      if (mapping) meanings.set(id, mapping);
    }
    return meanings;
  };
  /** Variants of one kind, by their own mapping or their product's. */
  const meaning = async (
    kind: Mapping["kind"],
    { environment, limit }: { environment: Environment; limit: number },
  ): Promise<VariantId[]> => {
    const rows = meaningRows.parse(
      await tx.$queryRaw`
        SELECT variant_id AS "variantId" FROM mappings
        WHERE shop = ${shop} AND environment = ${environment} AND kind = ${kind} AND variant_id <> product_id
        UNION SELECT v.variant_id FROM store_variants v
        JOIN mappings m ON m.shop = v.shop AND m.environment = ${environment} AND m.variant_id = v.product_id
        WHERE v.shop = ${shop} AND v.deleted_at IS NULL AND m.kind = ${kind} AND NOT EXISTS (
          SELECT FROM mappings own WHERE own.shop = v.shop AND own.environment = ${environment}
            AND own.variant_id = v.variant_id)
        ORDER BY 1 LIMIT ${limit}`,
    );
    return rows.map((row) => row.variantId);
  };
  return {
    ordering: (environment, limit) => meaning("order", { environment, limit }),
    ignored: (environment, limit) => meaning("ignored", { environment, limit }),
    list: meaningsOf,
    textsOf: (environment, units) => readOrderedTexts(scope, meaningsOf, { environment, units }),
    async ofProduct(environment, productId) {
      return toMappings(await tx.mapping.findMany({ where: { shop, environment, productId } }));
    },
    async holdStill() {
      await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${lockName}, 0))`;
    },
    async forVariants(environment, variantIds, products) {
      // See `save`: an order is not read past a mapping that is just being saved.
      await unanswered(
        tx,
        Prisma.sql`SELECT pg_advisory_xact_lock_shared(hashtextextended(${lockName}, 0))`,
      );
      return meaningsOf(environment, variantIds, products);
    },
    async save(mapping) {
      // Waits for orders that are being matched, so that whoever saves then sees all that found no mapping.
      await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${lockName}, 0))`;
      const { environment, productId, kind } = mapping;
      const variantId = subjectOf(mapping);
      const { bundleId, tests, medicareTests, practitioner } =
        mapping.kind === "order" ? mapping.items : NO_ITEMS;
      if (practitioner) await addPractitioner(practitioner);
      const providerNumber = practitioner?.providerNumber ?? null;
      const notes =
        mapping.kind === "order" && medicareTests.length > 0 ? mapping.clinicalNotes : null;
      const preparation = mapping.kind === "order" ? mapping.preparation : null;
      // An undefined text stays as it is.
      const sealed = (column: MappingText, text: string | null | undefined) => {
        if (text === undefined) return undefined;
        return text ? sealer.sealJson(fieldOf({ environment, variantId }, column), text) : null;
      };
      const data = {
        ...{ productId, kind, bundleId, tests, medicareTests, providerNumber },
        clinicalNotesSealed: sealed("clinical_notes", notes),
        preparationSealed: sealed("preparation", preparation),
      };
      await tx.mapping.upsert({
        where: { shop_environment_variantId: { shop, environment, variantId } },
        create: { shop, environment, variantId, ...data },
        update: data,
      });
    },
    async remove({ environment, ...which }) {
      await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${lockName}, 0))`;
      const variantId = subjectOf(which);
      await tx.mapping.deleteMany({ where: { shop, environment, variantId } });
    },
  };
}

const productRows = z.array(
  z.object({
    variantId: z.string().transform((value) => gid("ProductVariant", value)),
    productId: z.string().transform((value) => gid("Product", value)),
  }),
);
const meaningRows = z.array(productRows.element.pick({ variantId: true }));

/** The id that a mapping is stored under, in `variant_id`: its variant’s, or its product’s for the whole product. */
const subjectOf = ({ variantId, productId }: Pick<Mapping, "variantId" | "productId">) =>
  variantId ?? productId;

type MappingText = "clinical_notes" | "preparation";

const fieldOf = (
  { environment, variantId }: Pick<MappingRow, "environment" | "variantId">,
  column: MappingText,
) => ({ table: "mappings", column, row: `${environment} ${variantId}` });

const NO_ITEMS: OrderedItems = { bundleId: null, tests: [], medicareTests: [], practitioner: null };

function toMapping(
  row: MappingRow,
  practitioners: Map<string, Practitioner>,
  sealer: Scope["sealer"],
): Mapping {
  const common = {
    environment: parseEnum(ENVIRONMENTS, row.environment),
    productId: gid("Product", row.productId),
    variantId: row.variantId === row.productId ? null : gid("ProductVariant", row.variantId),
    updatedAt: row.updatedAt,
  };
  if (parseEnum(["order", "ignored"], row.kind) === "ignored")
    return { ...common, kind: "ignored" };
  const { bundleId, providerNumber } = row;
  // An empty list may be null in its column.
  const [tests, medicareTests] = [row.tests ?? [], row.medicareTests ?? []];
  const practitioner = providerNumber === null ? null : (practitioners.get(providerNumber) ?? null);
  const opened = (column: MappingText, sealed: Uint8Array | null) =>
    sealed && z.string().parse(sealer.openJson(fieldOf(row, column), sealed));
  return {
    ...common,
    kind: "order",
    items: { bundleId, tests, medicareTests, practitioner },
    clinicalNotes: opened("clinical_notes", row.clinicalNotesSealed),
    preparation: opened("preparation", row.preparationSealed),
  };
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

const readCatalogues = rowsOf<{ tests: unknown; bundles: unknown; fetchedAt: Date }>("catalogues", [
  "tests",
  "bundles",
  "fetchedAt",
]);

export function catalogueRepository({ tx, shop }: Scope): CatalogueRepository {
  return {
    async find(environment) {
      const [row] = await readCatalogues(
        tx,
        Prisma.sql`shop = ${shop} AND environment = ${environment} LIMIT 1`,
      );
      if (!row) return null;
      return {
        environment,
        tests: testsSchema.parse(row.tests),
        bundles: bundlesSchema.parse(row.bundles),
        fetchedAt: row.fetchedAt,
      };
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
