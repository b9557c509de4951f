import type { WaitingOrders } from "../catalogue/waiting-orders.ts";
import type {
  CustomerId,
  LineItemId,
  OrderId,
  ProductId,
  ShopDomain,
  VariantId,
} from "../kernel/ids.ts";
import type { PaidOrder } from "../kernel/inbox.ts";
import { isBeforeSetBack } from "../kernel/secret.ts";
import type { PatientAddress } from "../patients/patient.ts";
import type { SoldVariant } from "../referrals/order-facts.ts";
import type { CustomerAccounts } from "../shops/shop.ts";
import type { OrderReason } from "./order-reason.ts";

/** An order as Shopify tells it, re-read through the Admin API before anything is done about it. */
export interface StoreOrder {
  id: OrderId;
  /** The order's name as people know it, for example "#1001". */
  name: string;
  /** Whether the money has come; a refund afterwards does not undo it. A payment that was voided never came. */
  paid: boolean;
  /** Whether some of the money has come and some is owed: of a deposit, or because the order grew. */
  paidInPart: boolean;
  /** All the money was given back, or its payment was voided; what was refunded as units shows in the quantities. */
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
  /** Shopify's own id of the store, whatever its domain is; absent when the answer did not say. */
  storeId?: string;
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
  /** The bundle of Shopify's that was bought, where the line is a part of it. Shopify lists no line for the bundle itself. */
  bundle?: SoldVariant;
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
  /** Every reason that stands, dealt with or not. */
  standing: OrderReason[];
}

/** The facts that an earlier reading of an order left, of which the next one asks. */
export interface LastReading {
  /** The customer whose order it was; null when nobody's. */
  customerId: CustomerId | null;
  /** Why a person has to look at it, dealt with or not. */
  reasons: OrderReason[];
  /** Those that somebody has dealt with. */
  handled: OrderReason[];
}

/**
 * Whether the stored reading of an order is newer than this one, which began at `at`. The store's own time of last change
 * decides: it is one clock, and the database's may have been set back since. Of readings of one second, the one that began
 * earlier is stale, unless a clock that was ahead dated the stored one.
 */
export function isStale(
  order: Pick<StoreOrder, "updatedAt">,
  at: Date,
  stored: { storeUpdatedAt: Date | null; readAt: Date },
): boolean {
  const change = order.updatedAt.getTime();
  const known = stored.storeUpdatedAt?.getTime() ?? change;
  if (known !== change) return known > change;
  return stored.readAt > at && !isBeforeSetBack(stored.readAt, at);
}

/** Which units that were sold while their product was no test are wanted all the same; absent: none. */
export interface WantedUnits {
  /** The time of the reading; absent: when it began. */
  now?: Date;
  /** All, because a person named the order. */
  isWanted?: boolean;
  /** Those that were taken for no test since then, by a mistake that was mended. */
  ignoredSince?: Date | null;
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
   * more, and so do the units that were sold while their product was no test (`ignoredUnits`).
   */
  record(
    order: StoreOrder,
    lines: Map<LineItemId, MappingState>,
    at: Date,
    wanted?: WantedUnits,
  ): Promise<"first" | "again" | "stale" | "redacted">;
  /** Where an order stands that is known, or null; lets no reading of it in until the transaction ends. */
  findForUpdate(orderId: OrderId): Promise<KnownOrder | null>;
  /**
   * Notes an order that the store doesn't show, of which a message told that it was paid: its number, and when it was placed. `at`
   * is when the reading that found nothing began. One that is known already stays as it is.
   */
  recordUnseen(orderId: OrderId, paid: PaidOrder, at: Date): Promise<void>;
  /** Some orders that were paid and not shown, and that nobody has dealt with. */
  paidNotVisible(limit: number): Promise<OrderId[]>;
  /**
   * Has the order's fulfilment until then, unless another job has it: returns the end of that one's claim. A claim that would end later
   * than any was left before the clock was set back.
   */
  claimFulfilment(orderId: OrderId, claim: { now: Date; until: Date }): Promise<Date | null>;
  /** Ends the claim that was made until then. */
  endFulfilment(orderId: OrderId, until: Date): Promise<void>;
  /** Something was ordered for it where orders are real. */
  markReal(orderId: OrderId): Promise<void>;
  /**
   * Writes why a person has to look at a locked order: all reasons that a reading found, the first of them first; that the store was not
   * told stays (`setNotTold`). The first that nobody
   * has dealt with is shown, so that one which was dealt with hides no other. `anew`: those that stand for something else than
   * before, and whoever dealt with that has not dealt with them. Returns whether somebody is needed for a reason that was not
   * shown.
   */
  setAttention(
    orderId: OrderId,
    reasons: readonly OrderReason[],
    anew?: readonly OrderReason[],
  ): Promise<boolean>;
  /**
   * Notes that the store was not told of a locked order, or with `isOver` that it was. The reasons of readings stay. Returns whether
   * somebody is needed for a reason that was not shown.
   */
  setNotTold(orderId: OrderId, reason: OrderReason, change: { isOver: boolean }): Promise<boolean>;
  /** A known order as a message would have told it; null once it was redacted. */
  asTold(orderId: OrderId): Promise<PaidOrder | null>;
  /**
   * Notes that a person has dealt with a reason; forgotten once it stands no longer. Returns whether another one that stood behind it is
   * shown now.
   */
  markHandled(orderId: OrderId, reason: OrderReason): Promise<boolean>;
  /** Takes that back while it stands; false when it is not marked as handled any more. */
  reopen(orderId: OrderId, reason: OrderReason): Promise<boolean>;
  /** The variants that its lines sold, as far as they are known. */
  variantsOf(orderId: OrderId): Promise<Map<LineItemId, SoldVariant>>;
  /** Lines that still count for something and had no mapping when they were last read. */
  unmappedLines(orderId: OrderId): Promise<LineItemId[]>;
  buyerOf(orderId: OrderId): Promise<Buyer | null>;
  /** The customer whose order it was when it was last read; null when nobody's, or nothing is known of it. */
  customerOf(orderId: OrderId): Promise<CustomerId | null>;
  /** Returns what the last reading left; null before the first. */
  lastReading(orderId: OrderId): Promise<LastReading | null>;
  /**
   * The units of each line that were sold while their product was no test, that are still bought, and for which nothing was ordered:
   * where there are any.
   */
  ignoredUnits(orderId: OrderId): Promise<Map<LineItemId, number>>;
  /** The units that each line bought when it was last read. */
  unitsOf(orderId: OrderId): Promise<Map<LineItemId, number>>;
  /** Makes some orders findable that an earlier version stored; returns how many. */
  indexSome(limit: number): Promise<number>;
  isAnyUnindexed(): Promise<boolean>;
  namesOf(orderIds: OrderId[]): Promise<Map<OrderId, string>>;
}
