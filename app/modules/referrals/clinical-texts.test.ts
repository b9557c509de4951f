import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { CLINICAL_TEXTS, CLINICAL_TEXTS_VERSION, callOf, presentAlert } from "./clinical-texts.ts";

const page = readFileSync(new URL("../../../docs/clinical-texts.md", import.meta.url), "utf8");

test.each(Object.entries(CLINICAL_TEXTS))(
  "lists %s with its source in the documents",
  (_, text) => {
    expect(page).toContain(`| ${text.text} | ${text.source} | not yet reviewed by a clinician |`);
    expect(page).toContain(`Version ${CLINICAL_TEXTS_VERSION}.`);
  },
);

test("says one count, and whom to call", () => {
  expect(presentAlert({ level: "critical", count: 2 }, null)).toMatchObject({
    text: expect.stringMatching(
      /^The laboratory marked 2 results as critical\. See a doctor today/,
    ),
    actions: [{ href: "tel:000" }, { href: "tel:1800022222" }],
  });
  expect(presentAlert({ level: "critical", count: 1 }, null)?.text).toContain("marked 1 result as");
  expect(presentAlert(null, null)).toBeNull();
});

test("offers to call the shop's clinical contact when there is one", () => {
  const contact = { name: "Nurse Kim", phone: "(02) 5550 1234" };
  expect(presentAlert({ level: "critical", count: 1 }, contact)?.actions).toEqual([
    { label: "Call 000 in an emergency", href: "tel:000" },
    { label: "Call Nurse Kim: (02) 5550 1234", href: "tel:0255501234" },
    { label: "Call Healthdirect: 1800 022 222", href: "tel:1800022222" },
  ]);
});

test("dials the clinical contact without the 0 that is not dialled, and not at all with an extension", () => {
  const dialled = (phone: string) => callOf({ name: "Nurse Kim", phone });
  expect(dialled("+61 (0)2 5550 1234")).toEqual([
    { label: "Call Nurse Kim: +61 (0)2 5550 1234", href: "tel:+61255501234" },
  ]);
  expect(dialled("02 5550 1234 ext 4")).toEqual([
    { label: "Call Nurse Kim: 02 5550 1234 ext 4", href: null },
  ]);
});
