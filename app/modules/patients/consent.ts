import type { Shop } from "../shops/shop.ts";
import { collectionNotice } from "./collection-notice.ts";
import type { Tenant } from "./tenant.ts";
import type { UnitOwner } from "./unit-owner.ts";

interface Agreement {
  request: { id: string; owner: UnitOwner };
  settings: Pick<Shop, "name" | "retentionMonths" | "notice">;
}

/** Keeps the wording of the notice that whoever holds the unit agreed to now. */
export async function recordConsent(
  tenant: Tenant,
  { at, ...agreement }: Agreement & { at: Date },
): Promise<void> {
  const { id, owner } = agreement.request;
  await tenant.consents.add(id, { givenBy: owner, ...wordingNow(tenant, agreement), givenAt: at });
}

/** Whether whoever holds the unit agreed last to the very words that are shown now. */
export async function hasAgreed(tenant: Tenant, agreement: Agreement): Promise<boolean> {
  const { id, owner } = agreement.request;
  const latest = (await tenant.consents.forRequest(id)).at(-1);
  const { wording } = wordingNow(tenant, agreement);
  return latest?.givenBy === owner && latest.wording.join("\n") === wording.join("\n");
}

function wordingNow(
  tenant: Tenant,
  { request: { owner }, settings: { name, retentionMonths, notice } }: Agreement,
) {
  const facts = { shop: tenant.shop, shopName: name, retentionMonths, owner, notice };
  const { version, paragraphs, consent } = collectionNotice(facts);
  return { version, wording: [...paragraphs, consent] };
}
