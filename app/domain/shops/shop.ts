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

export interface Shop {
  shop: ShopDomain;
  epoch: number;
  installed: boolean;
  scope: string;
  /** The connection that paid orders go to. */
  environment: Environment;
  holdOrders: boolean;
  strictMode: boolean;
  minimumAge: number;
  releasePolicy: ReleasePolicy;
  /** Whether the service e-mails the form itself; null: as the installation says. */
  emailByService: boolean | null;
  markFulfilled: boolean;
  tagOrders: boolean;
  startFlows: boolean;
  setupDismissedAt: Date | null;
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
>;

export interface ShopRepository {
  find(): Promise<Shop | null>;
  /** Installs or reinstalls: a new epoch when it was uninstalled. Returns whether anything changed. */
  install(scope: string, at: Date): Promise<boolean>;
  /** Marks the shop uninstalled unless it was installed after `at`. Returns whether it did. */
  uninstall(at: Date): Promise<boolean>;
  updateSettings(settings: Partial<ShopSettings>): Promise<void>;
  /** Takes the setup guide off the home page, or puts it back. */
  dismissSetup(at: Date | null): Promise<void>;
}
