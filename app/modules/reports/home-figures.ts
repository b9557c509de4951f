import type { OrderId, ProductId, VariantId } from "../kernel/ids.ts";
import type { Stage } from "../referrals/stage.ts";
import type { Environment } from "../shops/connection.ts";

/** A variant that was bought while nobody had said what it means. */
export interface UnmappedSale {
  variantId: VariantId;
  productId: ProductId | null;
  title: string;
  orders: number;
}

export interface DayOfRequests {
  /** YYYY-MM-DD */
  day: string;
  stage: Stage;
  count: number;
}

export interface CountsOfDay {
  orders: number;
  forms: number;
  /** Those that came first on that day, whether with a report or without. */
  results: number;
  /** PDFs of results. */
  reports: number;
}

/** News that somebody should hear of now, and nobody is emailed about, or no workflow was started for. */
export type UnheardAlert =
  | "outage"
  | "outage_refused"
  | "outage_flow"
  | "critical_held"
  | "critical_held_refused";

/** Numbers above this are not counted out: "1,000+" says enough, and costs the same in every shop. */
export const COUNT_LIMIT = 1000;

/** The longest that a test of a catalogue takes, by itself or within a bundle, in days; null when none is published. */
export interface PublishedMaximum {
  environment: Environment;
  /** A bundle has an entry for each of its tests. */
  kind: "test" | "bundle";
  id: string;
  days: number | null;
}

/** A referral whose form was issued longer ago than its slowest test takes, and for which no result has come. */
export interface OverdueResult {
  orderId: OrderId;
  orderName: string;
  title: string;
  issuedAt: Date;
  /** The published maximum of the slowest test, in days. */
  publishedDays: number;
}

export interface OverdueResults {
  count: number;
  /** Those that became overdue last, the latest first. */
  latest: OverdueResult[];
}
