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
  ["HIVAgAb", "infection"],
  ["HIV_1_2_AB", "infection"],
  ["HBs Ag", "infection"],
  ["HBc IgM", "infection"],
  ["HepBsAg", "infection"],
  ["HAV IgM", "infection"],
  ["Hep A IgG", "infection"],
  ["Hepatitis serology", "infection"],
  ["T. pallidum EIA", "infection"],
  ["TP-PA", "infection"],
  ["C. trachomatis DNA", "infection"],
  ["CT/NG PCR", "infection"],
  ["M. genitalium PCR", "infection"],
  ["Ureaplasma urealyticum", "infection"],
  ["Trich", "infection"],
  ["T. vaginalis PCR", "infection"],
  ["STI screen", "infection"],
  ["STIs", "infection"],
  ["Blood borne viruses", "infection"],
  ["BBV screen", "infection"],
  ["HTLV-I/II", "infection"],
  ["LGV PCR", "infection"],
  ["Mpox PCR", "infection"],
  ["TB Gold", "infection"],
  ["IGRA", "infection"],
  ["MTB PCR", "infection"],
  ["Toxo IgG", "infection"],
  ["CD4 count", "infection"],
  ["FVL", "genetics"],
  ["Factor V (Leiden)", "genetics"],
  ["C282Y", "genetics"],
  ["Prothrombin G20210A", "genetics"],
  ["Apo E4", "genetics"],
  ["Pharmacogenomics panel", "genetics"],
  ["Chromosome analysis", "genetics"],
  ["JAK2 V617F", "genetics"],
  ["CFTR", "genetics"],
  ["Alpha thalassaemia", "genetics"],
  ["Huntington disease", "genetics"],
  ["AFP", "pregnancy"],
  ["Alpha-foetoprotein", "pregnancy"],
  ["Alpha 1 fetoprotein", "pregnancy"],
  ["Second trimester screen", "pregnancy"],
  ["QHCG", "pregnancy"],
  ["Down syndrome risk", "pregnancy"],
  ["HbS", null],
  ["Apo B", null],
  ["Apo A-1", null],
  ["ds-DNA antibodies", null],
  ["Double-stranded DNA antibodies", null],
  ["Fetal haemoglobin", null],
  ["Autoimmune hepatitis panel", null],
  ["HbA1c", null],
  ["Hepatic function panel", null],
  ["CT", null],
  ["General health check", null],
  ["PSA", null],
  ["CA-125", null],
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

test("looks at the product that the shop sold too", () => {
  const plain = { ...example, name: "Antibody", commonName: "Antibody" };
  expect(sensitivityOf({ productName: null, biomarkers: [plain] }, "HIV home kit")).toBe(
    "infection",
  );
  expect(sensitivityOf({ productName: null, biomarkers: [plain] }, "Iron studies")).toBeNull();
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
