export interface ProductDocument {
  /** Numeric id as text; also the key. */
  id: number;
  shop: string;
  title: string;
  handle: string;
  descriptionHtml: string;
  vendor: string;
  productType: string;
  status: "ACTIVE" | "DRAFT" | "ARCHIVED";
  tags: string[];
  isGiftCard: boolean;
  createdAt: string;
  updatedAt: string;
  publishedAt: string | null;
  options: { id: number; name: string; values: string[] }[];
  variants: VariantRecord[];
}

export interface VariantRecord {
  id: number;
  title: string;
  sku: string | null;
  barcode: string | null;
  priceCents: number;
  compareAtPriceCents: number | null;
  taxable: boolean;
  requiresShipping: boolean;
  weightGrams: number;
  inventoryItemId: number;
  inventoryQuantity: number;
  selectedOptions: { name: string; value: string }[];
  createdAt: string;
  updatedAt: string;
}
