import type { OrderId, ShopDomain } from "../kernel/ids.ts";
import type { Environment } from "./connection.ts";

/** When a result becomes visible to the patient. */
export const RELEASE_POLICIES = [
  "automatic",
  "hold_critical",
  "hold_abnormal",
  "hold_all",
] as const;
export type ReleasePolicy = (typeof RELEASE_POLICIES)[number];

/** The policies for a referral without results when its unit is refunded or removed. */
export const REFUND_POLICIES = ["automatic", "ask"] as const;
export type RefundPolicy = (typeof REFUND_POLICIES)[number];

/**
 * The kinds of customer accounts that a shop can have. With `new`, whoever buys can sign in by email, and extensions show
 * there. With `legacy`, pages of the theme show the account.
 */
export const CUSTOMER_ACCOUNTS = ["new", "legacy"] as const;
export type CustomerAccounts = (typeof CUSTOMER_ACCOUNTS)[number];

/** The person who reads held results and releases them. */
export interface Reviewer {
  name: string;
  phone: string;
  email: string;
}

/** How customers reach the shop; null where the merchant has set nothing. */
export interface HelpDetails {
  email: string | null;
  phone: string | null;
  hours: string | null;
}

/** The laboratory's own page on which patients look for a collection centre. */
export interface CollectionFinder {
  name: string;
  /** An https address. Nothing about a patient is ever added to it. */
  url: string;
}

/** What the collection notice says and Pathway cannot know; null where the merchant has not answered. */
export interface NoticeDetails {
  /** The pathology service and the laboratories, by name. */
  recipient: string | null;
  sendsOverseas: boolean | null;
  /** In the shop's own words, such as "New Zealand and Germany". */
  countries: string | null;
  policyUrl: string | null;
  /** Who takes complaints at the shop, and how to reach them. */
  complaints: string | null;
}

/** Whom a patient with a critical result may ring. */
export interface ClinicalContact {
  name: string;
  phone: string;
}

/** Whom a patient may ring about a result: the clinical contact, or else the reviewer; null when there is neither. */
export function contactOf(
  shop: Pick<Shop, "reviewer" | "clinicalContact">,
): ClinicalContact | null {
  const { reviewer, clinicalContact } = shop;
  return clinicalContact ?? (reviewer && { name: reviewer.name, phone: reviewer.phone });
}

/** The clinical texts that the shop has accepted. */
export interface AcceptedTexts {
  version: string;
  at: Date;
  by: string;
}

/** At most so many hours a critical result is held. */
export const MAX_RELEASE_AFTER_HOURS = 24;

export interface Shop {
  shop: ShopDomain;
  epoch: number;
  installed: boolean;
  /** When it was installed last. */
  installedAt: Date;
  /** When it was installed for the first time; null for a shop that an earlier version installed. */
  firstInstalledAt: Date | null;
  /** Shopify's own id of the store, which stays when its domain changes; null until the store told it. */
  storeId: string | null;
  /** The id of another store that answers under this domain now; null while none does. */
  otherStoreId: string | null;
  /** The granted scopes, comma-separated, as Shopify told them last. */
  scope: string;
  customerAccounts: CustomerAccounts;
  /** When Shopify refused to renew the shop's session; null while it renews. */
  accessRefusedAt: Date | null;
  /** The connection that paid orders go to. */
  environment: Environment;
  holdOrders: boolean;
  /** Whether orders are held that Shopify assesses as high-risk, or has not assessed yet. */
  holdHighRisk: boolean;
  strictMode: boolean;
  minimumAge: number;
  releasePolicy: ReleasePolicy;
  /** Null: nothing is held, whatever the policy says. */
  reviewer: Reviewer | null;
  clinicalContact: ClinicalContact | null;
  help: HelpDetails;
  /** Null where the merchant has named none. */
  collectionFinder: CollectionFinder | null;
  notice: NoticeDetails;
  /** A held critical result that nobody reviewed is shown to its patient after so many hours. */
  releaseAfterHours: number;
  clinicalTexts: AcceptedTexts | null;
  /** The shop's name as people know it; null until its first order was read. */
  name: string | null;
  /** The store's, in which everybody reads dates and times; Sydney's until the store has told its own. */
  timeZone: string;
  /** The currency of the store's prices, as ISO 4217 names it. */
  currency: string;
  /** Where alerts to the merchant go; null until the first order was read. */
  contactEmail: string | null;
  /** Days after the first asking on which missing details are asked for again. */
  reminderDays: number[];
  /** After so many days a person has to decide. */
  detailsEndDays: number;
  /** Whether the service emails the form itself; null: as the installation says. */
  emailByService: boolean | null;
  markFulfilled: boolean;
  tagOrders: boolean;
  startFlows: boolean;
  setupDismissedAt: Date | null;
  /** After so many months without a change a request is redacted; null keeps it. */
  retentionMonths: number | null;
  /** When the merchant chose that; null while it is the default of seven years. */
  retentionChosenAt: Date | null;
  refundPolicy: RefundPolicy;
}

export type ShopSettings = Pick<
  Shop,
  | "environment"
  | "holdOrders"
  | "holdHighRisk"
  | "strictMode"
  | "minimumAge"
  | "releasePolicy"
  | "reviewer"
  | "clinicalContact"
  | "help"
  | "collectionFinder"
  | "releaseAfterHours"
  | "emailByService"
  | "markFulfilled"
  | "tagOrders"
  | "startFlows"
  | "refundPolicy"
>;

/** A change of settings: those that are left out stay as they are. */
export type PolicyChange = Partial<ShopSettings>;

/** When missing details are asked for again, and when that ends. */
export type ReminderPolicy = Pick<Shop, "reminderDays" | "detailsEndDays">;

/** The service charges in Australian dollars. */
export const SERVICE_CURRENCY = "AUD";

export interface ShopRepository {
  find(): Promise<Shop | null>;
  /**
   * Finds as `find` does, and nobody installs until the transaction ends. A message that is parked because the shop
   * is not installed is there when an install lets parked messages in.
   */
  findBeforeInstall(): Promise<Shop | null>;
  /**
   * Finds as `find` does for an install that follows: until the transaction ends nobody else installs the shop, notes that it has
   * left, or erases it.
   */
  findForInstall(): Promise<Shop | null>;
  /** Finds as `find` does, and nobody changes settings until the transaction ends. */
  findBeforeSave(): Promise<Shop | null>;
  /** Lets nobody else change settings or a connection until the transaction ends: of two who save at once, the second reads what the first saved. */
  lockSettings(): Promise<void>;
  /**
   * Installs or reinstalls, after `findForInstall`: a new epoch when it was uninstalled. Returns whether the app was off: so it was too where Shopify
   * refused its session, and the message that it was taken off has not come.
   */
  install(scope: string, at: Date): Promise<boolean>;
  /** Marks the shop uninstalled unless it was installed after `at`. Returns whether it did. */
  uninstall(at: Date): Promise<boolean>;
  /** Stores what the store said of itself. */
  recordFacts(facts: {
    scopes?: string;
    accounts?: CustomerAccounts;
    timeZone?: string | undefined;
    currency?: string;
  }): Promise<void>;
  /**
   * Notes Shopify's own id of the store. The first that is told is kept, for the shop's rows are that store's; another one is kept beside
   * it. A store whose id is known under another domain has all its orders held from then on (docs/decisions/0165).
   */
  identify(storeId: string): Promise<void>;
  /** Whether the store has the app under another domain too, or had it and its data is still kept. */
  hasOtherName(): Promise<boolean>;
  /**
   * Whether something was ordered for an order under another domain of its store. No other domain orders for it until the transaction
   * ends.
   */
  orderedUnderOtherName(orderId: OrderId): Promise<boolean>;
  /** The other domain of this store under which something was ordered for an order; null where there is none, or the store is another one. */
  otherNameThatOrdered(orderId: OrderId, storeId: string): Promise<ShopDomain | null>;
  /**
   * The name under which this store signed in last, where that is another one that still has the app, and neither is in doubt; else null.
   */
  presentName(): Promise<ShopDomain | null>;
  updateSettings(
    settings: Partial<ShopSettings & ReminderPolicy & Pick<Shop, "notice">>,
  ): Promise<void>;
  rename(name: string): Promise<void>;
  setContactEmail(email: string): Promise<void>;
  acceptClinicalTexts(accepted: AcceptedTexts): Promise<void>;
  /** Takes the setup guide off the home page, or puts it back. */
  dismissSetup(at: Date | null): Promise<void>;
  /** `chosenAt`: when the merchant did. */
  setRetention(months: number | null, chosenAt?: Date): Promise<void>;
}
