import { expect, test } from "vitest";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { putRequest } from "../../../../test/database/put-request.ts";
import { startRequest } from "../../../../test/database/request.ts";
import { parseReasonKey } from "../review-reason.ts";
import { refetchReferral } from "./refetch-referral.ts";

const db = await openTestDatabase();

test.each([
  ["refunded_after_sending", "refunded_after_sending"],
  ["referral:FAILED_TEST", null],
] as const)("%s, and the service has news: %s", async (before, after) => {
  const { create, find, service, ports, shop, requestId } = await startRequest(db);
  await create();
  await db.tenancy.inShop(shop, (tenant) =>
    putRequest(tenant, requestId, { reviewReason: parseReasonKey(before) }),
  );
  const [referral] = service.referrals;
  Object.assign(referral ?? {}, {
    status: "SCHEDULED_REISSUE",
    referralAttachment: null,
    updatedAt: "2027-01-01T00:00:00.000Z",
  });
  const uuid = String(referral?.uuid);
  await refetchReferral(ports, { shop, environment: "staging", uuid });
  expect((await find())?.reviewReason ?? null).toEqual(after && parseReasonKey(after));
});
