/** A value in a form of its own is read as what it means, or refused alone: its referral or result is read all the same. */
import { expect, test } from "vitest";
import { answer } from "./testing/start-server.ts";
import { startService } from "./testing/start-service.ts";
import {
  REFERRAL_UUID,
  RESULT_UUID,
  wireBiomarker,
  wireReferral,
  wireResult,
} from "./testing/wire-samples.ts";

async function referral(fields: Record<string, unknown>) {
  const { client } = await startService((_, response) =>
    answer(response, 200, wireReferral(fields)),
  );
  return client.getReferral(REFERRAL_UUID);
}

async function result(fields: Record<string, unknown>) {
  const { client } = await startService((_, response) => answer(response, 200, wireResult(fields)));
  return client.getResult(RESULT_UUID);
}

const TEN = "2026-11-28T10:00:00.000Z";

test.each<[unknown, string]>([
  ["2026-11-28T10:00:00Z", TEN],
  ["2026-11-28t10:00:00z", TEN],
  ["2026-11-28T21:00:00+11:00", TEN],
  ["2026-11-28T21:00:00+1100", TEN],
  ["2026-11-28T21:00:00+11", TEN],
  ["2026-11-28 21:00:00 +11:00", TEN],
  ["2026-11-28T10:00:00", TEN],
  ["2026-11-28 10:00:00", TEN],
  ["2026-11-28 10:00:00 UTC", TEN],
  ["2026-11-28T10:00", TEN],
  ["2026-11-28T10:00:00.0Z", TEN],
  ["2026-11-28T10:00:00,000000000Z", TEN],
  ["2026-11-28T10:00:00.000000001Z", TEN],
  ["2026-11-28T10:00:00.123456", "2026-11-28T10:00:00.123Z"],
  ["2026-11-28", "2026-11-28T00:00:00.000Z"],
  ["Sat, 28 Nov 2026 10:00:00 GMT", TEN],
  [1_795_860_000, TEN],
  [1_795_860_000_000, TEN],
  ["1795860000", TEN],
  ["1795860000000", TEN],
])("the time %j of a referral is that moment", async (written, moment) => {
  for (const fields of [{ updatedAt: written }, { createdAt: written }, { deletedAt: written }]) {
    const read = await referral(fields);
    const [field = "updatedAt"] = Object.keys(fields) as ("createdAt" | "updatedAt")[];
    expect(new Date(read?.[field] ?? "").toISOString()).toBe(moment);
  }
});

test("a time without its offset is the same on a machine of another zone", async () => {
  const before = process.env.TZ;
  try {
    process.env.TZ = "Australia/Sydney";
    const read = await referral({ updatedAt: "2026-11-28T10:00:00" });
    expect(new Date(read?.updatedAt ?? "").toISOString()).toBe(TEN);
  } finally {
    if (before === undefined) delete process.env.TZ;
    else process.env.TZ = before;
  }
});

/** Days that no calendar has, and those of which nobody knows which number is the month. */
const NO_DAYS = [
  "2026-02-30",
  "2026-02-30T10:00:00Z",
  "2026-02-29T23:00:00-05:00",
  "2026-11-31 10:00:00",
  "Mon, 30 Feb 2026 10:00:00 GMT",
  "Feb 29, 2026 10:30:00 UTC",
  "2026/02/30",
  "02/30/2026",
  "03/02/2026",
  "3-2-2026 10:00",
];

test.each(NO_DAYS)(
  "no deletion is dated %j, and a change of then is not dated",
  async (written) => {
    const refused = referral({ deletedAt: written });
    await expect(refused).rejects.toMatchObject({ failure: "contract_mismatch" });
    expect(await referral({ updatedAt: written })).toMatchObject({
      ...{ updatedAt: null, unread: ["updatedAt"] },
    });
  },
);

test.each([
  ["28 Feb 2026 10:30:00 GMT", "2026-02-28T10:30:00.000Z"],
  ["Thu, 29 Feb 2024 10:29:31 GMT", "2024-02-29T10:29:31.000Z"],
  ["Sat, 31 Jan 2026 20:00:00 -0500", "2026-02-01T01:00:00.000Z"],
])("a day that the calendar has is read from %j", async (written, moment) => {
  expect((await referral({ updatedAt: written }))?.updatedAt).toBe(moment);
});

test.each([
  ...[null, "", "soon", "12026-11-28T00:00:00Z", "12", 7, true, "0000-00-00 00:00:00"],
  ...["0001-01-01T00:00:00Z", "1970-01-01T00:00:00Z", "9999-12-31T23:59:59Z"],
  ...NO_DAYS,
])("a referral whose creation is dated %j is read, by its last change", async (createdAt) => {
  const read = await referral({ createdAt, updatedAt: TEN });
  expect(read).toMatchObject({ createdAt: TEN, updatedAt: TEN });
  const { client } = await startService((_, response) =>
    answer(response, 200, {
      cursor: { cursor: null, count: "20", resultCount: "1" },
      referrals: [wireReferral({ createdAt, updatedAt: TEN })],
    }),
  );
  expect((await client.referralPage(null)).read()).toMatchObject({
    entries: [{ createdAt: TEN }],
    unreadable: [],
  });
});

test.each<[string, Record<string, unknown>]>([
  ["emailSentAt", { emailSentAt: 1_795_860_000 }],
  ["emailSentAt", { emailSentAt: { at: TEN } }],
  ["reference", { reference: 12345678 }],
  ["dob", { person: { firstName: "Ada", lastName: "Citizen", dob: 641520000 } }],
  ["post code", { person: { address: { postCode: 3000 }, phone: 400000000 } }],
])("a referral is read whose %s is of another type", async (_, fields) => {
  expect(await referral(fields)).toMatchObject({ uuid: REFERRAL_UUID });
});

test.each([
  ["complete", "COMPLETE"],
  ["Partial_Results", "PARTIAL_RESULTS"],
  ["scheduled-reissue", "SCHEDULED_REISSUE"],
  ["Billing failed", "BILLING_FAILED"],
  ["Expired", "Expired"],
])("the status %j is read as %j", async (status, expected) => {
  expect((await referral({ status }))?.status).toBe(expected);
});

test("a result that is complete is so in any letters", async () => {
  expect((await result({ status: "Complete" }))?.status).toBe("COMPLETE");
  expect((await result({ status: "In_Review" }))?.status).toBe("In_Review");
});

test.each<[unknown, string | null]>([
  ["2026-11-28", "2026-11-28"],
  ["2026-11-28T00:30:00+11:00", "2026-11-28T00:30:00+11:00"],
  ["2026-11-28 00:30:00+11", "2026-11-28T00:30:00+11:00"],
  ["2026-11-28 20:00:00 UTC", "2026-11-28T20:00:00Z"],
  ["2026-11-28T23:30:00", "2026-11-28"],
  ["2026-11-28 23:30", "2026-11-28"],
  // Another EST than that of Sydney: the day stands there all the same.
  ["2026-11-28 23:30:00 EST", "2026-11-28"],
  [1_795_860_000, TEN],
  ["2026-02-30", null],
  ["2026-02-30T03:00:00Z", null],
  ["2026-11-28T25:00:00Z", null],
  ["12026-11-28", null],
  ["28/11/2026", null],
  ["1970-01-01T00:00:00Z", null],
  ["9999-12-31", null],
  ["9999-12-31T23:59:59Z", null],
  [0, null],
  ["", null],
  [null, null],
  [{}, null],
])("the date %j of a result is %j", async (resultDate, expected) => {
  expect(await result({ resultDate })).toMatchObject({ uuid: RESULT_UUID, resultDate: expected });
});

test("numbers that are written as text are those numbers", async () => {
  const read = await result({
    biomarkerSummary: { normal: "1", abnormal: "0", critical: "0", total: "1" },
    biomarkers: [
      wireBiomarker({
        refIntervalLow: "30.5",
        refIntervalHigh: "",
        additionalRanges: [{ id: "a", name: "A", category: "c", lowRange: "-1", highRange: null }],
      }),
    ],
  });
  expect(read?.biomarkerSummary).toEqual({ normal: 1, abnormal: 0, critical: 0, total: 1 });
  expect(read?.biomarkers[0]).toMatchObject({ refIntervalLow: 30.5, refIntervalHigh: null });
  expect(read?.biomarkers[0]?.additionalRanges[0]).toMatchObject({ lowRange: -1, highRange: null });
});

test.each(["<5", "5-9", "1e3", "0x10", "five", "1,5"])(
  "no number is made of %j, and its result is told as one that cannot be read",
  async (refIntervalLow) => {
    await expect(result({ biomarkers: [wireBiomarker({ refIntervalLow })] })).rejects.toMatchObject(
      { failure: "contract_mismatch" },
    );
  },
);
