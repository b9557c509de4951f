import type { Shop } from "../shops/shop.ts";
import { collectionNotice } from "./collection-notice.ts";
import type { Tenant } from "./tenant.ts";
import type { UnitOwner } from "./unit-owner.ts";

/** Keeps the wording of the notice that whoever holds the unit agreed to now. */
export async function recordConsent(
  tenant: Tenant,
  {
    request: { id, owner },
    settings: { name, retentionMonths, notice },
    at,
  }: {
    request: { id: string; owner: UnitOwner };
    settings: Pick<Shop, "name" | "retentionMonths" | "notice">;
    at: Date;
  },
): Promise<void> {
  const facts = { shop: tenant.shop, shopName: name, retentionMonths, owner, notice };
  const { version, paragraphs, consent } = collectionNotice(facts);
  const wording = [...paragraphs, consent];
  await tenant.consents.add(id, { givenBy: owner, version, wording, givenAt: at });
}
