import { expect, test } from "vitest";
import { resultSnapshot } from "../../../../test/database/snapshots.ts";
import { type SensitiveKind, sensitivityOf } from "./sensitive-tests.ts";

const [example] = resultSnapshot().biomarkers;
if (!example) throw new Error("The sample has no biomarker");

/** A result with one marker of this name. */
const named = (name: string) =>
  sensitivityOf({ productName: null, biomarkers: [{ ...example, name, commonName: name }] });

test.each<[string, SensitiveKind | null]>([
  ["HIV Ag/Ab combo", "infection"],
  ["HIV-1/2 antibody", "infection"],
  ["HIV1/2 Ag/Ab", "infection"],
  ["HIV1 RNA viral load", "infection"],
  ["HIVAg/Ab", "infection"],
  ["HSV1 IgG", "infection"],
  ["HSV-2 PCR", "infection"],
  ["HTLV1/2", "infection"],
  ["TPPA", "infection"],
  ["TPHA titre", "infection"],
  ["VDRL", "infection"],
  ["FTA-Abs", "infection"],
  ["N. gonorrhoeae", "infection"],
  ["Anti-HBc", "infection"],
  ["HBsAb", "infection"],
  ["Anti-HBs", "infection"],
  ["HBeAg", "infection"],
  ["HBV DNA", "infection"],
  ["Hep-B core antibody", "infection"],
  ["Hepatitis B surface antigen", "infection"],
  ["HBsAg", "infection"],
  ["Anti-HCV", "infection"],
  ["Syphilis serology", "infection"],
  ["Chlamydia trachomatis PCR", "infection"],
  ["Neisseria gonorrhoeae PCR", "infection"],
  ["Herpes simplex virus type 2", "infection"],
  ["QuantiFERON-TB Gold", "infection"],
  ["BRCA1", "genetics"],
  ["Factor V Leiden", "genetics"],
  ["HFE genotype", "genetics"],
  ["Beta hCG", "pregnancy"],
  ["β-hCG", "pregnancy"],
  ["Human chorionic gonadotropin", "pregnancy"],
  ["HPV16", "infection"],
  ["HbS", null],
  ["Hives panel", null],
  ["Ferritin", null],
  ["Haemoglobin", null],
  ["Thyroid stimulating hormone", null],
  ["C-reactive protein", null],
  ["Vitamin B12", null],
  ["Progesterone", null],
  ["Total cholesterol", null],
  ["Glucose (fasting)", null],
])("takes %s for %s", (name, kind) => {
  expect(named(name)).toBe(kind);
});

test("looks at the product and the categories too", () => {
  const plain = { ...example, name: "Antibody", commonName: "Antibody" };
  expect(sensitivityOf({ productName: "Sexual health check", biomarkers: [plain] })).toBe(
    "infection",
  );
  const category = { ...plain.category, name: "Pregnancy" };
  expect(sensitivityOf({ productName: null, biomarkers: [{ ...plain, category }] })).toBe(
    "pregnancy",
  );
});
