import type { Environment } from "../connections/connection.ts";
import type { ShopDomain } from "../ids.ts";

/** When a result becomes visible to the patient. */
export const RELEASE_POLICIES = [
  "automatic",
  "hold_critical",
  "hold_abnormal",
  "hold_all",
] as const;
export type ReleasePolicy = (typeof RELEASE_POLICIES)[number];

/** What becomes of a referral without results when its unit is refunded or removed. */
export const REFUND_POLICIES = ["automatic", "ask"] as const;
export type RefundPolicy = (typeof REFUND_POLICIES)[number];

export interface Shop {
  shop: ShopDomain;
  epoch: number;
  installed: boolean;
  /** When it was installed last. */
  installedAt: Date;
  scope: string;
  /** The connection that paid orders go to. */
  environment: Environment;
  holdOrders: boolean;
  strictMode: boolean;
  minimumAge: number;
  releasePolicy: ReleasePolicy;
  /** What people call the shop; null until its first order was read. */
  name: string | null;
  /** Days after the first asking on which missing details are asked for again. */
  reminderDays: number[];
  /** After so many days a person has to decide. */
  detailsEndDays: number;
  /** Whether the service e-mails the form itself; null: as the installation says. */
  emailByService: boolean | null;
  markFulfilled: boolean;
  tagOrders: boolean;
  startFlows: boolean;
  setupDismissedAt: Date | null;
  /** After so many months without a change a request is redacted; null keeps it. */
  retentionMonths: number | null;
  refundPolicy: RefundPolicy;
}

export type ShopSettings = Pick<
  Shop,
  | "environment"
  | "holdOrders"
  | "strictMode"
  | "minimumAge"
  | "releasePolicy"
  | "emailByService"
  | "markFulfilled"
  | "tagOrders"
  | "startFlows"
  | "refundPolicy"
>;

/** When missing details are asked for again, and when that ends. */
export type ReminderPolicy = Pick<Shop, "reminderDays" | "detailsEndDays">;

export interface ShopRepository {
  find(): Promise<Shop | null>;
  /**
   * As `find`, and nobody installs until the transaction ends: what is parked because the shop is not installed
   * is there when an install lets parked messages in.
   */
  findBeforeInstall(): Promise<Shop | null>;
  /** Installs or reinstalls: a new epoch when it was uninstalled. Returns whether anything changed. */
  install(scope: string, at: Date): Promise<boolean>;
  /** Marks the shop uninstalled unless it was installed after `at`. Returns whether it did. */
  uninstall(at: Date): Promise<boolean>;
  updateSettings(settings: Partial<ShopSettings & ReminderPolicy>): Promise<void>;
  rename(name: string): Promise<void>;
  /** Takes the setup guide off the home page, or puts it back. */
  dismissSetup(at: Date | null): Promise<void>;
  setRetention(months: number | null): Promise<void>;
}
