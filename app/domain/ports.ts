import type { Clock } from "../lib/clock.ts";
import type { Logger } from "../lib/logger.ts";
import type { StoreProducts } from "../modules/catalogue/store-products.ts";
import type { ShopDomain } from "../modules/kernel/ids.ts";
import type { Mailer } from "../modules/kernel/notification.ts";
import type { StoreOrderList } from "../modules/orders/listed-order.ts";
import type { StoreOrders } from "../modules/orders/order.ts";
import type { StoreMarks } from "../modules/orders/store-marks.ts";
import type { ShopEraser } from "../modules/privacy/privacy.ts";
import type { AttachmentFetcher } from "../modules/referrals/document.ts";
import type { ReferralService } from "../modules/referrals/referral-service.ts";
import type { Environment } from "../modules/shops/connection.ts";
import type { EventSender } from "../modules/shops/event-sender.ts";
import type { StoreAccess } from "../modules/shops/store-access.ts";
import type { Tenancy } from "./tenant.ts";

/** Port: the service as each connection sees it. */
export interface ReferralServices {
  /** Null when the shop has no such connection. */
  forConnection(shop: ShopDomain, environment: Environment): Promise<ReferralService | null>;
}

/** Waiting times that an operator may change. All in milliseconds. */
export interface Waits {
  /** How long a create call may take (interface §4.2 rule 12). */
  createTimeoutMs: number;
  /** How long an unclear attempt is left alone before the second scan (docs/architecture.md, ledger rule 5). */
  quarantineMs: number;
  /** How long a shop’s erasure can still be cancelled after it was asked for. */
  erasureDelayMs: number;
  tailerIntervalMs: number;
  /** How long a day lasts by which reminders are counted; shorter only to watch them. */
  reminderDayMs: number;
  /** How long an hour lasts by which alerts about held results are counted; shorter only to watch them. */
  escalationHourMs: number;
}

/** What the use cases need from the world. */
export interface Ports {
  tenancy: Tenancy;
  services: ReferralServices;
  eventSender: EventSender;
  storeOrders: StoreOrders;
  storeOrderList: StoreOrderList;
  storeAccess: StoreAccess;
  shopEraser: ShopEraser;
  storeProducts: StoreProducts;
  storeMarks: StoreMarks;
  attachments: AttachmentFetcher;
  mailer: Mailer;
  clock: Clock;
  logger: Logger;
  waits: Waits;
  /** How often each shop is looked after: missed orders, duties, what is to be forgotten. In milliseconds. */
  tendingIntervalMs: number;
  /** Whether the service e-mails the referral form itself (interface §4.2, emailReferralToCustomer). */
  emailByService: boolean;
  /** Where the world reaches Pathway, without a slash at its end. */
  appUrl: string;
  /** Where staff open a page of Pathway inside the shop's admin. */
  adminPageUrl(shop: ShopDomain, path: string): string;
}
