import type { Tenant } from "../../domain/tenant.ts";
import type { Shop } from "../shops/shop.ts";
import { collectionNotice } from "./collection-notice.ts";
import type { Holder } from "./holder.ts";

/** One consent, with the words that were agreed to. */
export interface Consent {
  givenBy: Holder;
  version: number;
  /** The notice's paragraphs, then the sentence that was ticked. */
  wording: string[];
  givenAt: Date;
}

export interface ConsentRepository {
  add(requestId: string, consent: Consent): Promise<void>;
  /** Every consent of a request, oldest first. */
  forRequest(requestId: string): Promise<Consent[]>;
}

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
