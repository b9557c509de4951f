import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { CLINICAL_TEXTS, CLINICAL_TEXTS_VERSION, presentAlert } from "./clinical-texts.ts";

const page = readFileSync(new URL("../../docs/clinical-texts.md", import.meta.url), "utf8");

test.each(Object.entries(CLINICAL_TEXTS))(
  "lists %s with its source in the documents",
  (_, text) => {
    expect(page).toContain(`| ${text.text} | ${text.source} | not yet reviewed by a clinician |`);
    expect(page).toContain(`Version ${CLINICAL_TEXTS_VERSION}.`);
  },
);

test("says one count, and whom to call", () => {
  expect(presentAlert({ level: "critical", count: 2 })).toMatchObject({
    text: expect.stringMatching(
      /^The laboratory marked 2 results as critical\. See a doctor today/,
    ),
    actions: [{ href: "tel:000" }, { href: "tel:1800022222" }],
  });
  expect(presentAlert({ level: "critical", count: 1 })?.text).toContain("marked 1 result as");
  expect(presentAlert(null)).toBeNull();
});
