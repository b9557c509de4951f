import type { ShopDomain, VariantId } from "../kernel/ids.ts";
import { areCredentialsNeeded } from "../shops/connection.ts";
import type { Ports } from "./ports.ts";
import type { Simulation } from "./simulation.ts";
import type { Tenant } from "./tenant.ts";

/** A variant that can be simulated: it is mapped to an order in staging. */
export interface Simulatable {
  variantId: VariantId;
  title: string;
}

export interface SimulationsOverview {
  isConnected: boolean;
  simulatable: Simulatable[];
  /** Newest first; the first one may be running. */
  simulations: { simulation: Simulation; evidence: SimulationEvidence }[];
}

/** The traces of a simulation at the service and here. */
export interface SimulationEvidence {
  /** The service's own references, 8 digits each. */
  references: string[];
  /** Bytes of each stored PDF. */
  forms: number[];
  reports: number[];
}

const SHOWN = 5;
const VARIANTS_SHOWN = 50;

/** Reads what can be simulated, and how the last simulations went or go. Throws when the store cannot be read. */
export async function readSimulations(
  { tenancy, storeProducts }: Pick<Ports, "tenancy" | "storeProducts">,
  shop: ShopDomain,
): Promise<SimulationsOverview> {
  const { variantIds, ...known } = await tenancy.inShop(shop, async (tenant) => {
    const simulations = await tenant.simulations.latest(SHOWN);
    const staging = await tenant.connections.find("staging");
    const evidence = [];
    for (const simulation of simulations)
      evidence.push({ simulation, evidence: await evidenceOf(tenant, simulation) });
    return {
      isConnected: staging !== null && !areCredentialsNeeded(staging),
      simulations: evidence,
      variantIds: await tenant.mappings.ordering("staging", VARIANTS_SHOWN),
    };
  });
  if (variantIds.length === 0) return { ...known, simulatable: [] };
  const condition = { kind: "variants", variantIds } as const;
  const { variants } = await storeProducts.variants(shop, { after: null, condition });
  return {
    ...known,
    simulatable: variants.map(({ id, productTitle, variantTitle }) => ({
      variantId: id,
      title: variantTitle ? `${productTitle} – ${variantTitle}` : productTitle,
    })),
  };
}

async function evidenceOf(tenant: Tenant, { orderId }: Simulation): Promise<SimulationEvidence> {
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
