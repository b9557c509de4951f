import type { ShopDomain, VariantId } from "../kernel/ids.ts";
import type { Ports } from "./ports.ts";
import type { Rehearsal } from "./rehearsal.ts";
import type { Tenant } from "./tenant.ts";

/** A variant that can be rehearsed: it is mapped to an order in staging. */
export interface Rehearsable {
  variantId: VariantId;
  title: string;
}

export interface RehearsalsOverview {
  isConnected: boolean;
  rehearsable: Rehearsable[];
  /** Newest first; the first one may be running. */
  rehearsals: { rehearsal: Rehearsal; evidence: RehearsalEvidence }[];
}

/** What a rehearsal left at the service and here. */
export interface RehearsalEvidence {
  /** The service's own references, 8 digits each. */
  references: string[];
  /** Bytes of each stored PDF. */
  forms: number[];
  reports: number[];
}

const SHOWN = 5;
const VARIANTS_SHOWN = 50;

/** What can be rehearsed, and how the last rehearsals went or go. Throws when the store cannot be read. */
export async function readRehearsals(
  { tenancy, storeProducts }: Pick<Ports, "tenancy" | "storeProducts">,
  shop: ShopDomain,
): Promise<RehearsalsOverview> {
  const { mapped, ...known } = await tenancy.inShop(shop, async (tenant) => {
    const mappings = await tenant.mappings.all("staging");
    const rehearsals = await tenant.rehearsals.latest(SHOWN);
    const evidence = [];
    for (const rehearsal of rehearsals)
      evidence.push({ rehearsal, evidence: await evidenceOf(tenant, rehearsal) });
    return {
      isConnected: (await tenant.connections.find("staging")) !== null,
      rehearsals: evidence,
      mapped: mappings.filter((mapping) => mapping.kind === "order").slice(0, VARIANTS_SHOWN),
    };
  });
  if (mapped.length === 0) return { ...known, rehearsable: [] };
  const variantIds = mapped.map((mapping) => mapping.variantId);
  const condition = { kind: "variants", variantIds } as const;
  const { variants } = await storeProducts.variants(shop, { after: null, condition });
  return {
    ...known,
    rehearsable: variants.map(({ id, productTitle, variantTitle }) => ({
      variantId: id,
      title: variantTitle ? `${productTitle} – ${variantTitle}` : productTitle,
    })),
  };
}

async function evidenceOf(tenant: Tenant, { orderId }: Rehearsal): Promise<RehearsalEvidence> {
  const ids = (await tenant.requests.forOrder(orderId)).map((request) => request.id);
  const referrals = await tenant.referrals.forRequests(ids);
  const documents = await tenant.documents.forRequests(ids);
  const sizes = (kind: string) =>
    documents.filter((document) => document.kind === kind).map((document) => document.bytes);
  return {
    references: referrals.map((referral) => referral.reference),
    forms: sizes("referral"),
    reports: sizes("result"),
  };
}
