import type { Consent } from "../patients/consent-repository.ts";
import type { Ports } from "./ports.ts";
import { isOwner, requestsOf, type ViewerScope } from "./viewer.ts";

/** One consent of a person's, with the words that were shown to whoever gave it. */
export interface ListedConsent extends Consent {
  requestId: string;
  title: string;
}

/**
 * Lists the consents for the tests that this viewer holds, newest first. They say nothing of anybody's health, so that every
 * link to the unit shows them.
 */
export async function listConsents(
  { tenancy }: Pick<Ports, "tenancy">,
  { shop, viewer }: ViewerScope,
): Promise<ListedConsent[]> {
  return tenancy.inShop(shop, async (tenant) => {
    const held = (await requestsOf(tenant, viewer)).filter((one) => isOwner(one, viewer));
    const listed: ListedConsent[] = [];
    for (const { id: requestId, title } of held)
      for (const consent of await tenant.consents.forRequest(requestId))
        listed.push({ ...consent, requestId, title });
    return listed.sort((a, b) => b.givenAt.getTime() - a.givenAt.getTime());
  });
}
