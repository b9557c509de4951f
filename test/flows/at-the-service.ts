import { expect } from "vitest";
import type { ServiceReferral, TestWorld } from "../harness/index.ts";
import type { RequestRow } from "./rows.ts";

/**
 * The one referral of each request, in the requests' order, as the service itself counts and lists them.
 * Throws while one is missing, and as soon as there is one too many.
 */
export async function oneReferralEach(
  { console, service }: Pick<TestWorld, "console" | "service">,
  requests: readonly RequestRow[],
): Promise<ServiceReferral[]> {
  const { referralsByReferenceNumber } = await console.stats();
  const counts = requests.map(
    ({ referenceNumber }) => referralsByReferenceNumber[referenceNumber] ?? 0,
  );
  expect(counts).toEqual(requests.map(() => 1));
  const listed = await service.recentReferrals(1000);
  return requests.map(({ referenceNumber }) => {
    const own = listed.filter((referral) => referral.referenceNumber === referenceNumber);
    expect(own).toHaveLength(1);
    const [referral] = own;
    if (referral === undefined) throw new Error(`${referenceNumber} is not in the service's list`);
    return referral;
  });
}
