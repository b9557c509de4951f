import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import type { ResultView } from "../../modules/access/open-result.ts";
import { sharedPage } from "./share-page.tsx";

const VIEW: ResultView = {
  ...{ id: "r", title: "Iron studies", part: null, status: "COMPLETE", partial: false },
  ...{ correctedAt: null, resultDate: "2026-05-01", reportedOn: "2026-05-01" },
  timeZone: "Australia/Sydney",
  patient: { name: "Ngaire Walsh", dob: "1971-02-03" },
  unit: null,
  ...{ others: [], alert: null, contact: null, summary: null, categories: [] },
};

const REPORT = { id: "d", kind: "result", version: 2, partial: false } as const;

const show = (fields: Partial<ResultView> = {}) => {
  // Eighteen minutes past midnight of 12 December in Sydney.
  const expiresAt = new Date("2026-12-11T13:18:00Z");
  const shared = { view: { ...VIEW, ...fields }, report: REPORT, expiresAt };
  const { content } = sharedPage(shared, "/shares/x");
  return renderToStaticMarkup(content);
};

test("tells a doctor the time at which a share ends, not its day alone", () => {
  expect(show()).toContain("It opens until 12 December 2026 at 12:18 am AEDT.");
});

test("sends no doctor to the doctor", () => {
  expect(show()).not.toContain("Discuss these results with your doctor");
});

test.each([
  ["critical", 1, "Results that the laboratory marked as critical: 1", "“See a doctor today”"],
  ["positive", 2, "Findings that the laboratory marked: 2", "“Talk to a doctor about this result”"],
] as const)(
  "tells a doctor what is marked as %s, and what its patient reads",
  (level, count, heading, advice) => {
    const contact = { name: "Nurse Kim", phone: "02 5550 1234" };
    const html = show({ alert: { level, count }, contact });
    expect(html).toContain(`<h2 id="alert">${heading}</h2>`);
    expect(html).toContain(advice);
    // A doctor rings the shop, and no helpline for patients.
    expect(html.match(/tel:[^"]+/g)).toEqual(["tel:0255501234"]);
    expect(html).not.toMatch(/Healthdirect|call 000/i);
  },
);

test("tells a doctor that a result changed, and which version its report is", () => {
  const html = show({ correctedAt: "2026-06-01T02:00:00Z" });
  expect(html).toContain("Open result report (version 2)");
  expect(html).toContain(
    "Go by what is here now. A report or print of it from before then is out of date.",
  );
  expect(html).not.toContain("show it to whoever");
});
