import type { NewProduct } from "../products/create-product.ts";

/**
 * The products of an Australian pathology shop: panels, single tests, extras, a Medicare test, and things that are no
 * test.
 */
export const seededProducts: NewProduct[] = [
  {
    title: "Essential Health Check",
    descriptionHtml:
      "<p>A broad look at general health: full blood count, liver and kidney function, cholesterol, glucose and iron.</p><p>Fasting for ten hours is recommended.</p>",
    productType: "Pathology panel",
    tags: ["blood test", "fasting", "popular"],
    variants: [{ sku: "EHC-01", priceCents: 13_900 }],
  },
  {
    title: "Iron Studies",
    descriptionHtml: "<p>Ferritin, transferrin, serum iron and saturation in one blood test.</p>",
    productType: "Pathology test",
    tags: ["blood test", "iron"],
    variants: [{ sku: "FE-STUDIES", priceCents: 4_900 }],
  },
  {
    title: "Thyroid Function",
    descriptionHtml:
      "<p>Thyroid stimulating hormone alone, or with free T3, free T4 and antibodies.</p>",
    productType: "Pathology test",
    tags: ["blood test", "thyroid"],
    optionName: "Panel",
    variants: [
      { title: "TSH only", sku: "TFT-TSH", priceCents: 3_900 },
      { title: "Full thyroid panel", sku: "TFT-FULL", priceCents: 12_900 },
    ],
  },
  {
    title: "Hormone Panel",
    descriptionHtml:
      "<p>Oestradiol, progesterone, FSH, LH, testosterone and prolactin. Reference ranges follow the cycle.</p>",
    productType: "Pathology panel",
    tags: ["blood test", "hormones"],
    variants: [{ sku: "HORM-01", priceCents: 29_900 }],
  },
  {
    title: "Heart Check + extra tests",
    descriptionHtml:
      "<p>Cholesterol and triglycerides with high-sensitivity CRP, lipoprotein(a) and HbA1c on top.</p>",
    productType: "Pathology panel",
    tags: ["blood test", "fasting", "heart"],
    variants: [{ sku: "HEART-PLUS", priceCents: 42_900 }],
  },
  {
    title: "Medicare Diabetes Screen",
    descriptionHtml:
      "<p>HbA1c and fasting glucose, billed to Medicare where you are eligible. A doctor reviews your request.</p>",
    productType: "Medicare test",
    tags: ["blood test", "medicare"],
    variants: [{ sku: "MED-DIAB", priceCents: 2_500 }],
  },
  {
    title: "Vitamin D",
    descriptionHtml: "<p>25-hydroxyvitamin D, the best measure of vitamin D status.</p>",
    productType: "Pathology test",
    tags: ["blood test", "vitamins", "new"],
    variants: [{ sku: "VITD-25OH", priceCents: 4_500 }],
  },
  {
    title: "Cotton Swabs (pack of 100)",
    descriptionHtml: "<p>Sterile, individually wrapped.</p>",
    productType: "Accessories",
    tags: ["accessories"],
    variants: [
      {
        sku: "SWAB-100",
        priceCents: 1_250,
        requiresShipping: true,
        weightGrams: 180,
        taxable: true,
      },
    ],
  },
  {
    title: "Gift Card",
    descriptionHtml: "<p>Give somebody a health check of their choice.</p>",
    productType: "Gift card",
    isGiftCard: true,
    tags: ["gift"],
    optionName: "Value",
    variants: [
      { title: "$50", sku: "GIFT-50", priceCents: 5_000 },
      { title: "$100", sku: "GIFT-100", priceCents: 10_000 },
    ],
  },
];
