import { expect, test } from "vitest";
import { resultSnapshot } from "../../../../test/database/snapshots.ts";
import { TIME_ZONE } from "../../../platform/calendar-day.ts";
import { arrange } from "../open-result.ts";
import { readme } from "./export-files.ts";

const CONTACT = { name: "Nurse Kim", phone: "02 5550 9999" };

/** The text for people, in an export with one result that has so many critical values. */
function written(critical: number) {
  const snapshot = resultSnapshot({
    resultDate: "2026-11-02",
    biomarkerSummary: { normal: 8, abnormal: 0, critical, total: 8 + critical },
    biomarkers: [],
  });
  const view = {
    ...arrange(snapshot, {
      ...{ title: "Iron studies", partial: false, contact: CONTACT, timeZone: TIME_ZONE },
    }),
    ...{ patient: { name: "Ngaire Wilson", dob: "1985-03-27" }, unit: null, others: [] },
  };
  const help = {
    shopName: "Blood & Co",
    email: null,
    phone: null,
    hours: null,
    timeZone: TIME_ZONE,
  };
  const leftOut = { byLink: false, hidden: false, unread: [] };
  const contents = { leftOut, help, takenAt: new Date("2026-11-20T00:00:00Z"), savedPatients: [] };
  return readme({ ...contents, results: [view], tests: [{}] }, { pdfs: 0, missing: [] });
}

const ADVICE = "Discuss the results with your doctor, who knows your health history.";

test("says of a critical result what to do today, before what the files are, and nothing that calms", () => {
  const text = written(1);
  const alert = text.indexOf("See a doctor today");
  expect(alert).toBeGreaterThan(0);
  expect(alert).toBeLessThan(text.indexOf("values.csv"));
  expect(text).toMatch(
    /Ngaire Wilson, Iron studies, reported on 2 November 2026\r\n.* marked 1 result as critical\./,
  );
  expect(text).toContain("Call Nurse Kim: 02 5550 9999");
  expect(text).not.toContain(ADVICE);
});

test("advises to discuss results of which none needs a doctor today", () => {
  const text = written(0);
  expect(text).toContain(ADVICE);
  expect(text).not.toMatch(/doctor today/i);
});
