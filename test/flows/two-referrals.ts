import { expect } from "vitest";
import type { ServiceReferral, TestWorld } from "../harness/index.ts";
import type { RequestRow } from "./rows.ts";
import { only } from "./shopping.ts";

/** Both referrals of a request at the service. Throws while one is missing, and when there is one too many. */
export async function bothReferrals(
  { service }: Pick<TestWorld, "service">,
  { referenceNumber }: Pick<RequestRow, "referenceNumber">,
): Promise<{ commercial: ServiceReferral; medicare: ServiceReferral }> {
  const own = (await service.recentReferrals(200)).filter(
    (referral) => referral.referenceNumber === referenceNumber,
  );
  expect(own).toHaveLength(2);
  return {
    commercial: only(own.filter(({ medicare }) => !medicare)),
    medicare: only(own.filter(({ medicare }) => medicare)),
  };
}
