import { stringify } from "csv-stringify";
import type { ShopDomain, VariantId } from "../kernel/ids.ts";
import { gidNumber } from "../kernel/ids.ts";
import type { Environment } from "../shops/connection.ts";
import type { Catalogue } from "./catalogue.ts";
import { COLUMNS, type Column, KIND_WORDS, LIST_SEPARATOR } from "./columns.ts";
import { meaningOf } from "./mappings/same-meaning.ts";
import type { Ports } from "./ports.ts";
import type { ListedVariant, VariantPage, VariantPlace } from "./store-variants.ts";
import type { Tenant } from "./tenant.ts";

const PAGE = 500;

/**
 * Every variant with what it means, as CSV text in pieces. A transaction lasts for one page, however slowly
 * the file is fetched. The file can be imported as it is: names are used where only one thing has them.
 */
export async function* exportMappings(
  { tenancy }: Pick<Ports, "tenancy">,
  { shop, environment }: { shop: ShopDomain; environment: Environment },
): AsyncGenerator<string> {
  yield `\ufeff${await csvOf([[...COLUMNS]])}`;
  let after: VariantId | null = null;
  do {
    const place: VariantPlace = after ? { after } : null;
    const read = async (tenant: Tenant) => {
      const catalogue = await tenant.catalogues.find(environment);
      const filter = { environment, catalogue, state: null, search: "" };
      const page: VariantPage = await tenant.storeVariants.page(filter, place, PAGE);
      const ids = page.variants.map((variant) => variant.id);
      return { catalogue, ...page, mappings: await tenant.mappings.list(environment, ids) };
    };
    const page = await tenancy.inShop(shop, read);
    const nameOf = uniqueNames(page.catalogue);
    const records = page.variants.map((variant) => {
      const cells = cellsOf({ ...variant, mapping: page.mappings.get(variant.id) ?? null }, nameOf);
      return COLUMNS.map((column) => cells[column]);
    });
    if (records.length > 0) yield await csvOf(records);
    after = page.hasNext ? (page.variants.at(-1)?.id ?? null) : null;
  } while (after);
}

function cellsOf(variant: ListedVariant, nameOf: (id: string) => string): Record<Column, string> {
  const meaning = meaningOf(variant.mapping);
  const items = meaning.kind === "order" ? meaning.items : null;
  const list = (ids: string[]) => ids.map(nameOf).join(` ${LIST_SEPARATOR} `);
  return {
    variant_id: gidNumber(variant.id),
    product: variant.productTitle,
    variant: variant.variantTitle ?? "",
    sku: variant.sku ?? "",
    kind: KIND_WORDS[meaning.kind],
    bundle: items?.bundleId ? nameOf(items.bundleId) : "",
    tests: list(items?.tests ?? []),
    medicare_tests: list(items?.medicareTests ?? []),
    practitioner_provider_number: items?.practitioner?.providerNumber ?? "",
    clinical_notes: (meaning.kind === "order" && meaning.clinicalNotes) || "",
    preparation: (meaning.kind === "order" && meaning.preparation) || "",
  };
}

/** A name that only one thing has, and that does not look like a list; the id otherwise. */
function uniqueNames(catalogue: Catalogue | null): (id: string) => string {
  const names = new Map<string, string>();
  const lists: { id: string; name: string }[][] = [
    catalogue?.tests ?? [],
    catalogue?.bundles ?? [],
  ];
  for (const things of lists) {
    const count = new Map<string, number>();
    const ids = Map.groupBy(things, (thing) => thing.id.toLowerCase());
    for (const { name } of things)
      count.set(name.toLowerCase(), (count.get(name.toLowerCase()) ?? 0) + 1);
    for (const { id, name } of things) {
      const isPlain = name.trim() === name && name !== "" && !name.includes(LIST_SEPARATOR);
      const key = name.toLowerCase();
      // Ids are looked up before names.
      const isOnly = count.get(key) === 1 && (ids.get(key) ?? []).every((one) => one.id === id);
      if (isPlain && isOnly) names.set(id, name);
    }
  }
  return (id) => names.get(id) ?? id;
}

/**
 * Rows as CSV text that no spreadsheet takes for formulas. Each cell is quoted: where semicolons separate cells, a title with one
 * would else begin another.
 */
export function csvOf(records: string[][]): Promise<string> {
  const form = { escape_formulas: true, quoted_string: true, record_delimiter: "\r\n" };
  return new Promise((resolve, reject) => {
    stringify(records, form, (error, text) => (error ? reject(error) : resolve(text)));
  });
}
