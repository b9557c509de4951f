import { together } from "../../platform/together.ts";
import type { RequestFacts } from "./customer-view.ts";
import { isCurrent } from "./referral-repository.ts";
import type { ReferralRequest } from "./request.ts";
import { partsOfAll } from "./requests/referral-parts.ts";
import { formIsOff } from "./status.ts";
import type { Tenant } from "./tenant.ts";

const NONE: ReadonlyMap<string, ReferralRequest[]> = new Map();

/** Gathers what is known of some requests, in a few statements however many there are. */
export async function gatherFacts(
  tenant: Tenant,
  requests: ReferralRequest[],
): Promise<RequestFacts[]> {
  const ids = requests.map((request) => request.id);
  const replaced = requests.filter((one) => one.replacedBy !== null).map(({ id }) => id);
  const [referrals, results, documents, later] = await together(
    () => tenant.referrals.forRequests(ids),
    () => tenant.results.forRequests(ids),
    () => tenant.documents.forRequests(ids),
    async () => (replaced.length > 0 ? tenant.requests.laterGenerations(replaced) : NONE),
  );
  const [referralsOf, resultsOf, documentsOf] = [
    Map.groupBy(referrals, ({ requestId }) => requestId),
    Map.groupBy(results, ({ requestId }) => requestId),
    Map.groupBy(documents, ({ requestId }) => requestId),
  ];
  return requests.map((request) => ({
    request,
    referrals: referralsOf.get(request.id) ?? [],
    results: resultsOf.get(request.id) ?? [],
    documents: documentsOf.get(request.id) ?? [],
    orderedAgain: partsOfAll(later.get(request.id) ?? []),
  }));
}

/** Whether a document may be seen: a result's only when that result is released. */
export function isVisible(
  document: RequestFacts["documents"][number],
  facts: RequestFacts,
): boolean {
  if (facts.request.state === "cancelled") return false;
  if (document.kind === "referral") {
    const referral = facts.referrals.find((row) => row.uuid === document.sourceUuid);
    // A form that was replaced, is being, or lost its use must not be taken to a collection centre.
    return referral !== undefined && isCurrent(referral) && !formIsOff(facts.request, referral);
  }
  if (facts.request.resultsHiddenAt) return false;
  const result = facts.results.find((row) => row.uuid === document.sourceUuid);
  return result?.releasedAt != null;
}
