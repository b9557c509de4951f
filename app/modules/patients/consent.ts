import type { Shop } from "../shops/shop.ts";
import { collectionNotice } from "./collection-notice.ts";
import type { Holder } from "./holder.ts";
import type { Tenant } from "./tenant.ts";

/** Keeps the wording of the notice that whoever holds the unit agreed to now. */
export async function recordConsent(
  tenant: Tenant,
  {
    request: { id, holder },
    settings: { name, retentionMonths },
    at,
  }: {
    request: { id: string; holder: Holder };
    settings: Pick<Shop, "name" | "retentionMonths">;
    at: Date;
  },
): Promise<void> {
  const facts = { shop: tenant.shop, shopName: name, retentionMonths, holder };
  const { version, paragraphs, consent } = collectionNotice(facts);
  const wording = [...paragraphs, consent];
  await tenant.consents.add(id, { givenBy: holder, version, wording, givenAt: at });
}
