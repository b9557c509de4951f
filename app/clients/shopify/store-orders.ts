import { gid, type OrderId, type ShopDomain } from "../../modules/kernel/ids.ts";
import type { Buyer, StoreOrder, StoreOrderLine, StoreOrders } from "../../modules/orders/order.ts";
import { storableTime } from "../../platform/storable.ts";
import type { AdminGraphql, FieldPath } from "./admin-graphql.ts";
import { nextPage } from "./next-page.ts";
import { ORDER_QUERY, type OrderAnswer, orderAnswerSchema } from "./operations/order.ts";
import { ORDER_BY_NAME_QUERY, orderByNameSchema } from "./operations/order-by-name.ts";
import { StoreError } from "./store-error.ts";

/** Financial statuses that say that the money has come. What is refunded afterwards shows in the quantities. */
const PAID = new Set(["PAID", "PARTIALLY_REFUNDED", "REFUNDED"]);

/** Those that say that none of it is left with the shop. */
const MONEY_BACK: ReadonlySet<string | null> = new Set(["REFUNDED", "VOIDED"]);

/** Whether the money has come. Shopify may give an order no financial status: then its money says so. */
export const isPaid = ({
  displayFinancialStatus: status,
  fullyPaid,
}: Pick<OrderAnswer, "displayFinancialStatus" | "fullyPaid">): boolean =>
  status === null ? fullyPaid === true : PAID.has(status);

/** Whether some of the money has come and some is owed, by the status alone. Shopify says so also of what was paid and then grew. */
export const isPaidInPart = (financialStatus: string | null): boolean =>
  financialStatus === "PARTIALLY_PAID";

/**
 * Whether something is owed although the status speaks of a refund: one unit was given back, and another was added since. An
 * answer that does not say owes nothing.
 */
const isOwedDespite = ({ displayFinancialStatus: status, totalOutstandingSet }: OrderAnswer) =>
  status === "PARTIALLY_REFUNDED" && Number(totalOutstandingSet?.shopMoney.amount ?? 0) > 0;

/** Orders, read through the Admin API. */
export function createStoreOrders(graphql: AdminGraphql): StoreOrders {
  const readPage = async (shop: ShopDomain, id: OrderId, after: string | null) => {
    const denied: FieldPath[] = [];
    const answer = await graphql(shop, ORDER_QUERY, { id, after }, orderAnswerSchema, {
      onDenied: (paths) => denied.push(...paths),
    });
    // Taken for a line that sold nothing known, it would wait for a mapping that it has.
    if (denied.some(isOfSold)) throw new StoreError("store_refused");
    return { ...answer, isBuyerHidden: denied.some(isOfBuyer) };
  };
  return {
    async findByName(shop, name) {
      // Quoted, so that what somebody typed is no search language.
      const query = `name:"${name.replace(/["\\]/g, "")}"`;
      const { orders } = await graphql(shop, ORDER_BY_NAME_QUERY, { query }, orderByNameSchema);
      const exact = orders.nodes.filter((order) => bare(order.name) === bare(name));
      return exact[0] && exact.length === 1 ? gid("Order", exact[0].id) : null;
    },
    async read(shop, orderId) {
      const lines: StoreOrderLine[] = [];
      let first: OrderAnswer | null = null;
      const pages: (string | null)[] = [];
      let after: string | null = null;
      for (;;) {
        const answer = await readPage(shop, orderId, after);
        const order: OrderAnswer | null = answer.order;
        if (!order) return null;
        // All but the lines is as old as the oldest of them, so that a change between two pages is still news.
        first ??= order;
        lines.push(...order.lineItems.nodes.map(toLine));
        pages.push(after);
        after = nextPage(order.lineItems.pageInfo, pages);
        if (after === null) {
          const { name: shopName, contactEmail: shopEmail, customerAccountsV2 } = answer.shop ?? {};
          const shopTimeZone = answer.shop?.ianaTimezone;
          const storeId = answer.shop?.id;
          return {
            ...toOrder(first, lines),
            ...(answer.isBuyerHidden ? { isBuyerHidden: true } : {}),
            ...(storeId ? { storeId } : {}),
            ...(shopName ? { shopName } : {}),
            ...(shopEmail ? { shopEmail } : {}),
            ...(shopTimeZone ? { shopTimeZone } : {}),
            ...(customerAccountsV2 ? { shopAccounts: customerAccountsV2 } : {}),
          };
        }
      }
    },
  };
}

const OF_BUYER: ReadonlySet<unknown> = new Set([
  "customer",
  "email",
  "phone",
  "shippingAddress",
  "billingAddress",
]);

const isOfBuyer = ([root, field]: FieldPath) => root === "order" && OF_BUYER.has(field);

const isOfSold = (path: FieldPath) => path[0] === "order" && path[1] === "lineItems";

/** An order's name as two people would agree that it is the same. */
export const bare = (name: string) => name.replace(/^#/, "").trim().toLowerCase();

function toOrder(order: OrderAnswer, lines: StoreOrderLine[]): StoreOrder {
  const isOwed = isOwedDespite(order);
  return {
    id: gid("Order", order.id),
    name: order.name,
    paid: isPaid(order) && !isOwed,
    paidInPart: isPaidInPart(order.displayFinancialStatus) || isOwed,
    ...(MONEY_BACK.has(order.displayFinancialStatus) ? { isMoneyBack: true } : {}),
    test: order.test,
    cancelledAt: order.cancelledAt ? storableTime(order.cancelledAt) : null,
    processedAt: storableTime(order.processedAt),
    ...(order.createdAt ? { createdAt: storableTime(order.createdAt) } : {}),
    updatedAt: storableTime(order.updatedAt),
    customerId: order.customer ? gid("Customer", order.customer.id) : null,
    buyer: toBuyer(order),
    lines,
    ...(order.tags ? { tags: order.tags } : {}),
  };
}

function toBuyer(order: OrderAnswer): Buyer {
  const address = order.shippingAddress ?? order.billingAddress;
  return {
    firstName: order.customer?.firstName ?? address?.firstName ?? null,
    lastName: order.customer?.lastName ?? address?.lastName ?? null,
    email: order.email,
    phone: order.phone ?? address?.phone ?? null,
    statusUrl: order.statusPageUrl,
    address: address && {
      addressLine1: address.address1 ?? "",
      addressLine2: address.address2,
      city: address.city ?? "",
      state: address.provinceCode ?? "",
      postCode: address.zip ?? "",
      country: address.countryCodeV2 ?? "",
    },
  };
}

function toLine(line: OrderAnswer["lineItems"]["nodes"][number]): StoreOrderLine {
  const { title, sku, quantity, currentQuantity, isGiftCard, lineItemGroup: group } = line;
  return {
    id: gid("LineItem", line.id),
    title,
    sku,
    quantity,
    currentQuantity,
    isGiftCard,
    // A product that was deleted since leaves a line without one.
    productId: line.product && gid("Product", line.product.id),
    variantId: line.variant && gid("ProductVariant", line.variant.id),
    ...(group?.variantId ? { bundle: toBundle(group.variantId, group.productId) } : {}),
  };
}

const toBundle = (variantId: string, productId: string | null | undefined) => ({
  variantId: gid("ProductVariant", variantId),
  productId: productId ? gid("Product", productId) : null,
});
