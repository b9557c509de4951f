import type { ResultSnapshot } from "../snapshots.ts";

/** Kinds of tests whose answer a person should hear from a person, whatever it says. */
export const SENSITIVE_KINDS = ["infection", "genetics", "pregnancy"] as const;
export type SensitiveKind = (typeof SENSITIVE_KINDS)[number];

/*
 * The one table of sensitive tests: words in the names of products, categories and markers, as Australian laboratories
 * print them. The catalogue has no field for it (interface §2.3), so names decide. In doubt a test is sensitive: a
 * result that waits for a call does less harm than one that is read alone.
 */
const INFECTION = [
  // "HIV1/2 Ag/Ab", "HIVAgAb", "HBV DNA", "HSV-2"
  String.raw`(hiv|h[a-e]v|hsv|hpv|htlv)(\d|i|ag|ab|igg|igm|combo|rna|dna|pcr)*`,
  "human immunodeficiency|p24|cd4|viral load",
  // Not the one of the liver's own antibodies.
  String.raw`(?<!autoimmune )hepatitis|hep[\s.-]?[a-e]|hep[\s-]?b[sce]a[bg]|hep (screen|serology|panel)`,
  String.raw`hb[sce][\s-]?(a[bg]|igm|igg|total)|anti[\s-]?hb[sce]`,
  String.raw`syphilis|treponem\w*|pallidum|tp-?[hp]a|vdrl|fta|rpr`,
  String.raw`chlamydia\w*|trachomatis|gonorrh\w*|gonococc\w*|neisseria|gc (pcr|naat|culture)`,
  String.raw`ct ?(\/|&|\+|and) ?(ng|gc)|(ng|gc) ?(\/|&|\+|and) ?ct`,
  String.raw`genitalium|mycoplasma hominis|ureaplasma\w*|urealyticum|trich|trichomon\w*|vaginalis|bacterial vaginosis`,
  String.raw`herpes|papilloma\w*|cervical screen\w*|lymphogranuloma|lgv|donovanosis|chancroid|ducreyi|mpox|monkeypox`,
  String.raw`stis?|stds?|sexual(ly)? (health|transmi\w*)|bbvs?|blood[\s-]?borne`,
  String.raw`tubercul\w*|mtb|mycobacteri\w*|quantiferon|igra|t-?spot|tb (gold|test|screen|pcr|culture)`,
  String.raw`malaria|toxo|toxoplasm\w*|cytomegalovirus|cmv|rubella|zika|torch|parvovirus`,
];

const GENETICS = [
  // Antibodies against DNA are no test of genes.
  String.raw`(?<!\b(?:anti|ds|ss)[\s-])dna(?! antibod)`,
  String.raw`(pharmaco)?genetic\w*|(pharmaco)?genom\w*|genotyp\w*|genes?|mutations?|exome|microarray|karyotyp\w*|chromosom\w*`,
  String.raw`brca ?[12]?|palb2|mlh1|msh[26]|pms2|tp53|lynch|jak2|bcr[\/-]?abl\d?`,
  "hfe|haemochromatosis|hemochromatosis|c282y|h63d",
  "leiden|fvl|g?20210a?|mthfr|thrombophilia",
  String.raw`apo[\s-]?e[234]?|apolipoprotein e|huntingt[oi]n\w*|carrier screen\w*|cystic fibrosis|cftr|fragile x|fmr1|muscular (atrophy|dystrophy)`,
  String.raw`thalass?a?emi\w*|sickle|ha?emoglobinopath\w*|hla|cyp\d\w*|tpmt|paternity`,
];

const PREGNANCY = [
  String.raw`[bqt]?-?hcgb?|beta[\s-]?hcg|chorionic gonadotrop\w*`,
  String.raw`pregnan\w*|antenatal|prenatal|trimester|maternal serum|gestation\w*|fo?etal(?! ha?emoglobin)|pre-?eclampsia`,
  String.raw`papp-?a|afp|alpha[\s-]?(1[\s-]?)?fo?etoprotein|plgf|triple test`,
  "nipt|nips|trisomy|down'?s? syndrome",
];

const anyOf = (words: string[], rest = "") => new RegExp(`\\b(${words.join("|")})\\b${rest}`, "i");

const SENSITIVE_TESTS: Record<SensitiveKind, RegExp> = {
  infection: anyOf(INFECTION),
  genetics: anyOf(GENETICS),
  pregnancy: anyOf(PREGNANCY, "|[βα]-?(hcg|fo?etoprotein)"),
};

/**
 * Why a result is sensitive; null when it is not. `title`: the product of the shop that was sold, which may say what the
 * names of the service do not.
 */
export function sensitivityOf(
  { productName, biomarkers }: Pick<ResultSnapshot, "productName" | "biomarkers">,
  title = "",
): SensitiveKind | null {
  const names = [
    ...[title, productName ?? ""],
    ...biomarkers.flatMap(({ name, commonName, category }) => [name, commonName, category.name]),
  ].map((name) => name.replaceAll("_", " "));
  return (
    SENSITIVE_KINDS.find((kind) => names.some((name) => SENSITIVE_TESTS[kind].test(name))) ?? null
  );
}
