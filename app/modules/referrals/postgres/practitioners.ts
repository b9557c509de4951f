import { z } from "zod";
import type { Scope } from "../../../platform/database/scope.ts";
import { gid } from "../../kernel/ids.ts";
import type { PractitionerRepository, PractitionerUse } from "../practitioner.ts";

const useRows = z.array(
  z.object({ providerNumber: z.string(), variantId: z.string().nullable(), title: z.string() }),
);

export function practitionerRepository({ tx, shop }: Scope): PractitionerRepository {
  const select = {
    providerNumber: true,
    label: true,
    name: true,
    address: true,
    fault: true,
    faultAt: true,
  } as const;
  return {
    async all() {
      return tx.practitioner.findMany({
        where: { shop },
        select,
        orderBy: [{ name: "asc" }, { providerNumber: "asc" }],
      });
    },
    async find(providerNumber) {
      return tx.practitioner.findUnique({
        where: { shop_providerNumber: { shop, providerNumber } },
        select,
      });
    },
    async save({ providerNumber, name, address, label }) {
      const data = { name, address, ...(label === undefined ? {} : { label }) };
      await tx.practitioner.upsert({
        where: { shop_providerNumber: { shop, providerNumber } },
        create: { shop, providerNumber, ...data },
        update: data,
      });
    },
    async remove(providerNumber) {
      await tx.practitioner.deleteMany({ where: { shop, providerNumber } });
    },
    async uses() {
      const found = useRows.parse(
        await tx.$queryRaw`
          SELECT DISTINCT ON (m.provider_number, m.variant_id) m.provider_number AS "providerNumber",
                 coalesce(v.variant_id, CASE WHEN m.variant_id <> m.product_id THEN m.variant_id END) AS "variantId",
                 coalesce(concat_ws(' – ', nullif(v.product_title, ''),
                   CASE WHEN m.variant_id = m.product_id THEN 'the whole product' ELSE v.variant_title END), '') AS title
          FROM mappings m
          -- The mapping of a whole product is changed on the page of any of its variants.
          LEFT JOIN LATERAL (
            SELECT * FROM store_variants WHERE shop = ${shop} AND (variant_id = m.variant_id
              OR m.variant_id = m.product_id AND product_id = m.product_id)
            ORDER BY deleted_at NULLS FIRST, sort_key LIMIT 1) v ON true
          WHERE m.shop = ${shop} AND m.provider_number IS NOT NULL ORDER BY m.provider_number, m.variant_id`,
      );
      const uses = new Map<string, PractitionerUse[]>();
      for (const { providerNumber, variantId, title } of found) {
        const use = {
          variantId: variantId === null ? null : gid("ProductVariant", variantId),
          title,
        };
        uses.set(providerNumber, [...(uses.get(providerNumber) ?? []), use]);
      }
      return uses;
    },
    async recordVerdict(providerNumber, fault, at) {
      await tx.practitioner.updateMany({
        where: { shop, providerNumber },
        data: { fault, faultAt: fault === null ? null : at },
      });
    },
  };
}
