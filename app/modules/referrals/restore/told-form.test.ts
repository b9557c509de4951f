import { expect, test } from "vitest";
import { DAY, sampleReferral } from "../../../../test/samples/facts.ts";
import { sampleTenant } from "../../../../test/samples/tenant.ts";
import { toldBeforeRestore } from "./told-form.ts";

const MINUTE_MS = 60_000;
const WAITS = { mailWindowMs: 2 * MINUTE_MS, syncIntervalMs: 5 * MINUTE_MS };

/** Forms made so many minutes before the end of the database that is lost. */
const toldOf = (madeBefore: number[], servedUntil: Date | null = DAY) => {
  const tenant = sampleTenant({
    restores: { lastSwitch: async () => servedUntil && { at: DAY, servedUntil } },
  });
  const referrals = madeBefore.map((minutes) =>
    sampleReferral({ serviceUpdatedAt: new Date(DAY.getTime() - minutes * MINUTE_MS) }),
  );
  return toldBeforeRestore(tenant, referrals, WAITS);
};

test("a form counts as told that was made long before the database was lost", async () => {
  expect(await toldOf([8])).toEqual(DAY);
  expect(await toldOf([8, 60])).toEqual(DAY);
});

test("a form is told that a sync, or a mail that waits for others, may have missed", async () => {
  for (const minutes of [7, 6, 1, 0, -1]) expect(await toldOf([minutes])).toBeNull();
  expect(await toldOf([60, 6])).toBeNull();
});

test("a form is told where no database was lost, or nobody knows when it was made", async () => {
  expect(await toldOf([60], null)).toBeNull();
  expect(await toldOf([])).toBeNull();
});
