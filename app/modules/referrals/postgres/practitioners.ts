import { z } from "zod";
import type { Scope } from "../../../platform/database/scope.ts";
import { gid } from "../../kernel/ids.ts";
import type { PractitionerRepository, PractitionerUse } from "../practitioner.ts";

const useRows = z.array(
  z.object({ providerNumber: z.string(), variantId: z.string(), title: z.string() }),
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
                 m.variant_id AS "variantId",
                 coalesce(concat_ws(' – ', nullif(v.product_title, ''), v.variant_title), '') AS title
          FROM mappings m LEFT JOIN store_variants v ON v.shop = m.shop AND v.variant_id = m.variant_id
          WHERE m.shop = ${shop} AND m.provider_number IS NOT NULL ORDER BY 1, 2`,
      );
      const uses = new Map<string, PractitionerUse[]>();
      for (const { providerNumber, variantId, title } of found) {
        const use = { variantId: gid("ProductVariant", variantId), title };
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
