import type {
  StoreAddress,
  StoreCustomer,
  StoreFacts,
  StoreMetafield,
  StoreOrder,
  StoreProduct,
} from "../ports.ts";
import type { Placement } from "./describe.ts";

/** Signals of every customer-account target. `customerId` is null for a reader of a status link. */
export function accountData(facts: StoreFacts, customerId: string | null): Placement["data"] {
  return {
    signals: {
      settings: {},
      "authenticatedAccount.customer": customerId ? { id: customerId } : undefined,
      "authenticatedAccount.purchasingCompany": undefined,
      "localization.language": { isoCode: "en" },
      "localization.extensionLanguage": { isoCode: "en" },
      "localization.country": { isoCode: "AU" },
      customerPrivacy: {
        allowedProcessing: {
          analytics: true,
          marketing: false,
          preferences: true,
          saleOfData: false,
        },
        metafields: [],
        visitorConsent: {},
        shouldShowBanner: false,
        saleOfDataRegion: false,
        region: { countryCode: "AU" },
      },
    },
    values: {
      shop: {
        id: `gid://shopify/Shop/${facts.shopId}`,
        name: facts.shopName,
        storefrontUrl: facts.origin,
        myshopifyDomain: facts.shop,
      },
    },
  };
}

export interface OrderPageFacts {
  facts: StoreFacts;
  order: StoreOrder;
  /** Signed-in customer, or null for a reader of the status link. */
  customer: StoreCustomer | null;
  products: StoreProduct[];
}

/** Signals of the order status targets: what the real API tells of an order. */
export function orderStatusData({
  facts,
  order,
  customer,
  products,
}: OrderPageFacts): Placement["data"] {
  const account = accountData(facts, customer?.id ?? null);
  const money = (cents: number) => ({ amount: cents / 100, currencyCode: order.currencyCode });
  const named = (address: StoreAddress | null) =>
    address ? { ...address, name: `${address.firstName} ${address.lastName}` } : undefined;
  return {
    values: account.values,
    signals: {
      ...account.signals,
      order: {
        id: order.id,
        name: order.name,
        cancelledAt: order.cancelledAt ?? undefined,
        processedAt: order.createdAt,
      },
      authenticationState: customer ? "fully_authenticated" : "pre_authenticated",
      lines: order.lines.map((line) => ({
        id: line.id,
        quantity: line.currentQuantity,
        attributes: [],
        discountAllocations: [],
        lineComponents: [],
        cost: { totalAmount: money(line.unitPriceCents * line.currentQuantity) },
        merchandise: {
          type: "variant",
          id: line.variantId ?? "",
          title: line.title,
          subtitle: line.variantTitle ?? undefined,
          sku: line.sku ?? undefined,
          selectedOptions: [],
          requiresShipping: line.requiresShipping,
          product: productOf(line.productId, products),
        },
      })),
      "cost.subtotalAmount": money(order.subtotalCents),
      "cost.totalAmount": money(order.totalCents),
      "cost.totalShippingAmount": money(order.shippingCents ?? 0),
      "cost.totalTaxAmount": undefined,
      "localization.currency": { isoCode: order.currencyCode },
      "localization.timezone": "Australia/Sydney",
      "localization.market": undefined,
      appMetafields: appMetafields(order, products),
      attributes: [],
      appliedGiftCards: [],
      discountCodes: [],
      discountAllocations: [],
      checkoutToken: undefined,
      checkoutSettings: { orderSubmission: "ORDER", shippingAddress: { isEditable: false } },
      note: order.note ?? undefined,
      // Personal data is for those who have signed in.
      shippingAddress: customer ? named(order.shippingAddress) : undefined,
      billingAddress: customer ? named(order.billingAddress) : undefined,
      "buyerIdentity.customer": customer
        ? {
            id: customer.id,
            email: order.email ?? undefined,
            phone: order.phone ?? undefined,
            firstName: customer.firstName ?? undefined,
            lastName: customer.lastName ?? undefined,
            fullName: [customer.firstName, customer.lastName].filter(Boolean).join(" "),
            image: { url: "" },
            acceptsMarketing: false,
            storeCreditAccounts: [],
          }
        : undefined,
      "buyerIdentity.email": (customer && order.email) || undefined,
      "buyerIdentity.phone": (customer && order.phone) || undefined,
      "buyerIdentity.purchasingCompany": undefined,
    },
  };
}

/** Signals of the thank-you page's targets: as of an order, but for a buyer who may not be signed in. */
export function thankYouData(page: OrderPageFacts): Placement["data"] {
  const { signals, values } = orderStatusData(page);
  const { order: _, authenticationState: __, ...rest } = signals;
  return {
    values,
    signals: {
      ...rest,
      orderConfirmation: { order: { id: page.order.id }, isFirstOrder: false },
    },
  };
}

function productOf(id: string | null, products: StoreProduct[]) {
  const product = products.find((candidate) => candidate.id === id);
  return { id: id ?? "", vendor: product?.vendor ?? "", productType: product?.productType ?? "" };
}

/** The app's own metafields of the order and of its products. */
function appMetafields(order: StoreOrder, products: StoreProduct[]) {
  const entries = (type: string, id: string, metafields: StoreMetafield[]) =>
    metafields
      .filter(({ namespace }) => namespace.startsWith("$app") || namespace.startsWith("app--"))
      .map((metafield) => ({
        target: { type, id },
        metafield: {
          key: metafield.key,
          namespace: metafield.namespace,
          value: metafield.value,
          valueType: metafield.type === "json" ? "json_string" : "string",
          type: metafield.type,
        },
      }));
  const ordered = products.filter((product) =>
    order.lines.some((line) => line.productId === product.id),
  );
  return [
    ...entries("order", order.id, order.metafields),
    ...ordered.flatMap((product) => entries("product", product.id, product.metafields)),
  ];
}
