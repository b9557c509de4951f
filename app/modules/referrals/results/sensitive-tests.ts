import type { ResultSnapshot } from "../snapshots.ts";

/** Kinds of tests whose answer a person should hear from a person, whatever it says. */
export const SENSITIVE_KINDS = ["infection", "genetics", "pregnancy"] as const;
export type SensitiveKind = (typeof SENSITIVE_KINDS)[number];

/**
 * The one table of sensitive tests: words in the names of products, categories and markers, as Australian laboratories
 * print them. The catalogue has no field for it (interface §2.3), so names decide. In doubt a test is sensitive: a
 * result that waits for a call does less harm than one that is read alone.
 */
const SENSITIVE_TESTS: Record<SensitiveKind, RegExp> = {
  infection:
    /\b((hiv|hbv|hcv|hsv|hpv|htlv)\d*(a[bg])?|human immunodeficiency|hepatitis [a-e]|hep[- ]?[bc]|hb[sce]a[bg]|anti[- ]?hb[sce]|syphilis|treponema\w*|tp[hp]a|vdrl|fta|rpr|chlamydia\w*|gonorrh\w*|neisseria|herpes|papilloma\w*|trichomonas|mycoplasma genitalium|tubercul\w*|quantiferon|malaria|sti|std|sexual(ly)? (health|transmitted\w*)|toxoplasm\w*|cytomegalovirus|cmv|rubella|zika)\b/i,
  genetics:
    /\b(dna|genetic\w*|genom\w*|genotyp\w*|gene|mutation|karyotyp\w*|brca ?[12]?|hfe|haemochromatosis|hemochromatosis|factor v leiden|prothrombin gene|apoe?4?|mthfr|carrier screen\w*|cystic fibrosis|fragile x|huntington\w*|lynch|hla\b|nipt)\b/i,
  pregnancy:
    /\b(hcg|b-?hcg|beta[- ]?hcg|chorionic gonadotrop\w*|pregnan\w*|antenatal|prenatal|papp-?a|first trimester|alpha[- ]?fetoprotein)\b|β-?hcg/i,
};

/** Why a result is sensitive; null when it is not. */
export function sensitivityOf({
  productName,
  biomarkers,
}: Pick<ResultSnapshot, "productName" | "biomarkers">): SensitiveKind | null {
  const names = [
    productName ?? "",
    ...biomarkers.flatMap(({ name, commonName, category }) => [name, commonName, category.name]),
  ];
  return (
    SENSITIVE_KINDS.find((kind) => names.some((name) => SENSITIVE_TESTS[kind].test(name))) ?? null
  );
}
