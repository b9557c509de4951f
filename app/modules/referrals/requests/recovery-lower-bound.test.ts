import { expect, test } from "vitest";
import { DAY } from "../../../../test/samples/facts.ts";
import { sampleTenant } from "../../../../test/samples/tenant.ts";
import { recoveryLowerBound } from "./recovery-lower-bound.ts";

const after = (ms: number) => new Date(DAY.getTime() + ms);
const from = (known: Date | null) =>
  recoveryLowerBound(
    sampleTenant({ referrals: { newestCreation: async () => known } }),
    "staging",
    DAY,
  );

test("searches from the newest referral that was known, by the service's clock", async () => {
  expect(await from(after(-5_000))).toEqual(after(-5_000));
});

test("searches a day back when nothing is known yet", async () => {
  expect(await from(null)).toEqual(after(-24 * 3_600_000));
});

test("searches from now at the latest, whatever the service's clock says", async () => {
  expect(await from(after(1))).toEqual(DAY);
});
