import { numericId } from "../format.ts";
import type { StoreCustomer, StoreFacts, StoreMetafield, StoreProduct } from "../ports.ts";

/** `product` of Shopify's Liquid, as far as the store knows it. */
export function productDrop(product: StoreProduct) {
  const variants = product.variants.map((variant) => ({
    id: Number(numericId(variant.id)),
    title: variant.title,
    sku: variant.sku,
    price: variant.priceCents,
    available: variant.available,
  }));
  const prices = variants.map((variant) => variant.price);
  return {
    id: Number(numericId(product.id)),
    title: product.title,
    handle: product.handle,
    description: product.descriptionHtml,
    content: product.descriptionHtml,
    vendor: product.vendor,
    type: product.productType,
    tags: product.tags,
    url: `/products/${product.handle}`,
    available: variants.some((variant) => variant.available),
    price: Math.min(...prices),
    price_min: Math.min(...prices),
    price_max: Math.max(...prices),
    variants,
    first_available_variant: variants.find((variant) => variant.available) ?? null,
    selected_or_first_available_variant: variants.find((variant) => variant.available) ?? null,
    metafields: metafieldsDrop(product.metafields),
  };
}

export const customerDrop = (customer: StoreCustomer) => ({
  id: Number(numericId(customer.id)),
  email: customer.email,
  first_name: customer.firstName,
  last_name: customer.lastName,
  name: [customer.firstName, customer.lastName].filter(Boolean).join(" "),
  phone: customer.phone,
});

export function shopDrop(facts: StoreFacts) {
  return {
    id: Number(facts.shopId),
    name: facts.shopName,
    domain: facts.shop,
    permanent_domain: facts.shop,
    url: facts.origin,
    currency: facts.currencyCode,
  };
}

/** `metafields[namespace][key].value`. The app's reserved namespace answers to its resolved name and to `$app`. */
function metafieldsDrop(metafields: StoreMetafield[]) {
  const namespaces: Record<string, Record<string, { type: string; value: unknown }>> = {};
  for (const { namespace, key, type, value } of metafields) {
    const drop = { type, value: readValue(type, value) };
    for (const name of namesOf(namespace)) {
      namespaces[name] ??= {};
      namespaces[name][key] = drop;
    }
  }
  return namespaces;
}

/** `app--123--extra` is `$app:extra` to the app itself. */
function namesOf(namespace: string): string[] {
  const reserved = /^app--\d+(?:--(.+))?$/.exec(namespace);
  if (!reserved) return [namespace];
  return [namespace, reserved[1] ? `$app:${reserved[1]}` : "$app"];
}

function readValue(type: string, value: string): unknown {
  if (type === "json" || type.startsWith("list.")) {
    try {
      return JSON.parse(value);
    } catch {
      return null;
    }
  }
  if (type === "number_integer" || type === "number_decimal") return Number(value);
  if (type === "boolean") return value === "true";
  return value;
}
