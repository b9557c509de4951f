import { expect, test } from "vitest";
import { DAY, sampleReferral } from "../../../../test/samples/facts.ts";
import { sampleTenant } from "../../../../test/samples/tenant.ts";
import { toldBeforeRestore } from "./told-form.ts";

const MINUTE_MS = 60_000;
const WAITS = { mailWindowMs: 2 * MINUTE_MS, syncIntervalMs: 5 * MINUTE_MS };

/** Forms made so many minutes before the end of the database that is lost. */
const toldOf = (
  madeBefore: number[],
  {
    servedUntil = DAY,
    knownMinutes = null,
    isMailed = false,
  }: { servedUntil?: Date | null; knownMinutes?: number | null; isMailed?: boolean } = {},
) => {
  const tenant = sampleTenant({
    restores: { lastSwitch: async () => servedUntil && { at: DAY, servedUntil } },
    notifications: { hashOf: (...words: string[]) => words.join(" ") },
  });
  const mailJournal = {
    add: () => {},
    lastOf: (about: string) => (isMailed && about === "form a" ? { says: "x", at: DAY } : null),
    knownSince: () =>
      knownMinutes === null ? null : new Date(DAY.getTime() - knownMinutes * MINUTE_MS),
  };
  const referrals = madeBefore.map((minutes) =>
    sampleReferral({ serviceUpdatedAt: new Date(DAY.getTime() - minutes * MINUTE_MS) }),
  );
  return toldBeforeRestore(tenant, { sourceUuid: "a" }, { referrals, waits: WAITS, mailJournal });
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
  expect(await toldOf([60], { servedUntil: null })).toBeNull();
  expect(await toldOf([])).toBeNull();
});

test("a form is told whose mail the journal would have, and has not", async () => {
  expect(await toldOf([60], { knownMinutes: 90 })).toBeNull();
  expect(await toldOf([60], { knownMinutes: 90, isMailed: true })).toEqual(DAY);
});

test("a form counts as told that is older than the journal", async () => {
  expect(await toldOf([60], { knownMinutes: 30 })).toEqual(DAY);
  expect(await toldOf([60, 20], { knownMinutes: 30 })).toBeNull();
});
