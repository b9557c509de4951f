import { z } from "zod";
import { parseEnum } from "../../../platform/database/parse-enum.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import { gid } from "../../kernel/ids.ts";
import type { OrderedItems, Practitioner } from "../../referrals/referral-service.ts";
import type { CatalogueBundle, CatalogueTest } from "../../referrals/snapshots.ts";
import { ENVIRONMENTS } from "../../shops/connection.ts";
import type { CatalogueRepository } from "../catalogue.ts";
import type { Mapping, MappingRepository } from "../mapping.ts";

type MappingRow = NonNullable<Awaited<ReturnType<Scope["tx"]["mapping"]["findUnique"]>>>;

export function mappingRepository({ tx, shop, sealer }: Scope): MappingRepository {
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
  return {
    async all(environment) {
      const rows = await tx.mapping.findMany({ where: { shop, environment } });
      return toMappings(rows);
    },
    async list(environment, variantIds) {
      const where = { shop, environment, variantId: { in: variantIds } };
      const mappings = await toMappings(await tx.mapping.findMany({ where }));
      return new Map(mappings.map((mapping) => [mapping.variantId, mapping]));
    },
    async ofProduct(environment, productId) {
      return toMappings(await tx.mapping.findMany({ where: { shop, environment, productId } }));
    },
    async holdStill() {
      await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${lockName}, 0))`;
    },
    async forVariants(environment, variantIds) {
      // See `save`: an order is not read past a mapping that is just being saved.
      await tx.$executeRaw`SELECT pg_advisory_xact_lock_shared(hashtextextended(${lockName}, 0))`;
      const rows = await tx.mapping.findMany({
        where: { shop, environment, variantId: { in: variantIds } },
      });
      const mappings = await toMappings(rows);
      return new Map(mappings.map((mapping) => [mapping.variantId, mapping]));
    },
    async save(mapping) {
      // Waits for orders that are being matched, so that whoever saves then sees all that found no mapping.
      await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${lockName}, 0))`;
      const { environment, variantId, productId, kind } = mapping;
      const { bundleId, tests, medicareTests, practitioner } =
        mapping.kind === "order" ? mapping.items : NO_ITEMS;
      if (practitioner) await addPractitioner(practitioner);
      const providerNumber = practitioner?.providerNumber ?? null;
      const notes =
        mapping.kind === "order" && medicareTests.length > 0 ? mapping.clinicalNotes : null;
      const sealedNotes = notes ? sealer.sealJson(notesField(mapping), notes) : null;
      const data = {
        ...{ productId, kind, bundleId, tests, medicareTests, providerNumber },
        clinicalNotesSealed: notes === undefined ? undefined : sealedNotes,
      };
      await tx.mapping.upsert({
        where: { shop_environment_variantId: { shop, environment, variantId } },
        create: { shop, environment, variantId, ...data },
        update: data,
      });
    },
    async remove(environment, variantId) {
      await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${lockName}, 0))`;
      await tx.mapping.deleteMany({ where: { shop, environment, variantId } });
    },
  };
}

const notesField = ({ environment, variantId }: Pick<MappingRow, "environment" | "variantId">) => ({
  table: "mappings",
  column: "clinical_notes",
  row: `${environment} ${variantId}`,
});

const NO_ITEMS: OrderedItems = { bundleId: null, tests: [], medicareTests: [], practitioner: null };

function toMapping(
  row: MappingRow,
  practitioners: Map<string, Practitioner>,
  sealer: Scope["sealer"],
): Mapping {
  const common = {
    environment: parseEnum(ENVIRONMENTS, row.environment),
    productId: gid("Product", row.productId),
    variantId: gid("ProductVariant", row.variantId),
    updatedAt: row.updatedAt,
  };
  if (parseEnum(["order", "ignored"], row.kind) === "ignored")
    return { ...common, kind: "ignored" };
  const { bundleId, tests, medicareTests, providerNumber } = row;
  const practitioner = providerNumber === null ? null : (practitioners.get(providerNumber) ?? null);
  const sealed = row.clinicalNotesSealed;
  return {
    ...common,
    kind: "order",
    items: { bundleId, tests, medicareTests, practitioner },
    clinicalNotes: sealed && z.string().parse(sealer.openJson(notesField(row), sealed)),
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
