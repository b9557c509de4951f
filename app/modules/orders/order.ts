import type { WaitingOrders } from "../catalogue/waiting-orders.ts";
import type {
  CustomerId,
  LineItemId,
  OrderId,
  ProductId,
  ShopDomain,
  VariantId,
} from "../kernel/ids.ts";
import type { PatientAddress } from "../patients/patient.ts";
import type { SoldVariant } from "../referrals/order-facts.ts";
import type { CustomerAccounts } from "../shops/shop.ts";
import type { OrderReason } from "./order-reason.ts";

/** An order as Shopify tells it, re-read through the Admin API before anything is done about it. */
export interface StoreOrder {
  id: OrderId;
  /** The order's name as people know it, for example "#1001". */
  name: string;
  /** Whether the money has come; a refund afterwards does not undo it. */
  paid: boolean;
  /** Whether some of the money has come and some is owed: of a deposit, or because the order grew. */
  paidInPart: boolean;
  /** All the money was given back; what was refunded as units shows in the quantities. */
  isMoneyBack?: boolean;
  test: boolean;
  cancelledAt: Date | null;
  processedAt: Date;
  /** When Shopify got the order, which an import may make long after it was placed; absent when the answer did not say. */
  createdAt?: Date;
  updatedAt: Date;
  customerId: CustomerId | null;
  buyer: Buyer;
  /** Some of who bought it is empty because the app has no approval for it: no news of the buyer. */
  isBuyerHidden?: boolean;
  lines: StoreOrderLine[];
  /** What the merchant marked it with; absent when the answer did not say. */
  tags?: string[];
  /** The shop's name as people know it, where the store told. */
  shopName?: string;
  /** Where Shopify writes to the merchant; absent when the answer did not say. */
  shopEmail?: string;
  /** The customer accounts that the shop has; absent when the answer did not say. */
  shopAccounts?: CustomerAccounts;
  /** The store's time zone as IANA names it; absent when the answer told none that is valid. */
  shopTimeZone?: string;
}

export interface StoreOrderLine {
  id: LineItemId;
  title: string;
  sku: string | null;
  productId: ProductId | null;
  variantId: VariantId | null;
  quantity: number;
  /** Quantity less what was refunded or edited away. */
  currentQuantity: number;
  /** Whether a gift card was bought: money for later, whatever its product is mapped to. */
  isGiftCard?: boolean;
}

/** The one who paid. Prefills the patient's form; never assumed to be the patient. */
export interface Buyer {
  firstName: string | null;
  lastName: string | null;
  email: string | null;
  phone: string | null;
  address: PatientAddress | null;
  /** Where the shopper sees this order, as Shopify mails it. */
  statusUrl: string | null;
}

/** Port: reads an order from the store. Null when the store has no such order. */
export interface StoreOrders {
  read(shop: ShopDomain, orderId: OrderId): Promise<StoreOrder | null>;
  /** By the number that people know, with or without its "#". Null when there is none, or more than one. */
  findByName(shop: ShopDomain, name: string): Promise<OrderId | null>;
}

export type MappingState = "mapped" | "unmapped" | "ignored";

/** The known facts of an order beside its lines and its buyer. */
export interface KnownOrder {
  test: boolean;
  /** When the reading of what is known began. */
  readAt: Date;
  cancelledAt: Date | null;
  redactedAt: Date | null;
  /** Why a person is needed, or null. */
  reviewCode: OrderReason | null;
}

/**
 * Whether the stored reading of an order is newer than this one, which began at `at`. The store's own time of last change
 * decides: it is one clock, and the database's may have been set back since. Of readings of one second, the one that began
 * earlier is stale.
 */
export function isStale(
  order: Pick<StoreOrder, "updatedAt">,
  at: Date,
  stored: { storeUpdatedAt: Date | null; readAt: Date },
): boolean {
  const change = order.updatedAt.getTime();
  const known = stored.storeUpdatedAt?.getTime() ?? change;
  return known === change ? stored.readAt > at : known > change;
}

export interface OrderRepository extends WaitingOrders {
  /**
   * The moment before a reading, by the database's clock: processes on several machines share no other.
   */
  beginReading(): Promise<Date>;
  /**
   * Writes the order as read and lets no other reconciliation of it in until the transaction ends. `at` is
   * when the reading began. One that is stale changes nothing (see `isStale`): whatever changed in the store since has a
   * message of its own. An order that was redacted stays as it is. What a line sold stays known when the store names it no
   * more.
   */
  record(
    order: StoreOrder,
    lines: Map<LineItemId, MappingState>,
    at: Date,
  ): Promise<"first" | "again" | "stale" | "redacted">;
  /** Where an order stands that is known, or null; lets no reading of it in until the transaction ends. */
  findForUpdate(orderId: OrderId): Promise<KnownOrder | null>;
  /** Something was ordered for it where orders are real. */
  markReal(orderId: OrderId): Promise<void>;
  /**
   * Writes why a person has to look at a locked order. `isAnew`: the reason stands for something else than before, and
   * whoever dealt with that has not dealt with it. Returns whether somebody is needed for a reason that was not there.
   */
  setAttention(
    orderId: OrderId,
    reason: OrderReason | null,
    options?: { isAnew: boolean },
  ): Promise<boolean>;
  /** Notes that a person has dealt with a reason; forgotten once it is the reason no longer. */
  markHandled(orderId: OrderId, reason: OrderReason): Promise<void>;
  /** Takes that back while it is the reason; false when it is not marked as handled any more. */
  reopen(orderId: OrderId, reason: OrderReason): Promise<boolean>;
  /** The variants that its lines sold, as far as they are known. */
  variantsOf(orderId: OrderId): Promise<Map<LineItemId, SoldVariant>>;
  /** Lines that still count for something and had no mapping when they were last read. */
  unmappedLines(orderId: OrderId): Promise<LineItemId[]>;
  buyerOf(orderId: OrderId): Promise<Buyer | null>;
  /** The customer whose order it was when it was last read; null when nobody's, or nothing is known of it. */
  customerOf(orderId: OrderId): Promise<CustomerId | null>;
  /** The same with the code of why a person has to look at the order, handled or not; null before it was first read. */
  lastReading(
    orderId: OrderId,
  ): Promise<{ customerId: CustomerId | null; reason: string | null } | null>;
  /** Makes some orders findable that an earlier version stored; returns how many. */
  indexSome(limit: number): Promise<number>;
  isAnyUnindexed(): Promise<boolean>;
  namesOf(orderIds: OrderId[]): Promise<Map<OrderId, string>>;
}
