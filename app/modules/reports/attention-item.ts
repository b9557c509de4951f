import type { OrderId, VariantId } from "../kernel/ids.ts";
import { ORDER_REASONS, type OrderReason } from "../orders/order-reason.ts";
import { OTHER_PERSON, REFERRAL_OTHER_PERSON } from "../referrals/other-person.ts";
import type { ReviewReason } from "../referrals/review-reason.ts";
import type { UnitKey } from "../referrals/unit-number.ts";
import { URGENT_HELD, URGENT_SHOWN } from "../referrals/urgency.ts";
import type { Environment } from "../shops/connection.ts";

/** Why a person is needed: a reason of an order, or of a request. */
export type AttentionReason = { code: OrderReason; detail: null } | ReviewReason;

/** Whether a reason is of the order itself, and of none of its requests. */
export const isOfOrder = (
  reason: AttentionReason,
): reason is Extract<AttentionReason, { code: OrderReason }> =>
  ORDER_REASONS.some((one) => one === reason.code);

/** Reasons behind which somebody's health may stand: they cannot wait until tomorrow. */
export const TODAY: readonly string[] = [
  REFERRAL_OTHER_PERSON,
  OTHER_PERSON,
  URGENT_HELD,
  URGENT_SHOWN,
];

/** The reason in two columns. Another version may have written a code that this one has no words for. */
export const toAttentionReason = (
  code: string | null,
  detail: string | null,
): AttentionReason | null => (code === null ? null : ({ code, detail } as AttentionReason));

/** One reason why one order needs a person. */
export interface AttentionItem {
  orderId: OrderId;
  orderName: string;
  paidAt: Date;
  reason: AttentionReason;
  /** The requests of the order that share the reason; none when it is the order's own. */
  requestIds: string[];
  /** The units of these requests, in the same sequence. */
  units: UnitKey[];
  /** The variant that it is about, the first when there are several: of which they are units, or that is not mapped. */
  variantId: VariantId | null;
  /** The environment whose mapping it is about; null: the one where new orders go. */
  environment: Environment | null;
  /** Names what it is about: another text once that changed, such as a test that was sent, a form that was read anew or a line that was added. */
  version: string;
  /** How many forms name another person than their test's. */
  forms: number;
  /** How emails about it can't be delivered; null where they can, and where tests of one item differ. */
  undelivered: Undelivered | null;
}

/** The mail server refuses the address, puts emails to it off each time, the address was lost with a database, or the order has none. */
export const UNDELIVERED = ["refused", "put_off", "lost", "no_address"] as const;
export type Undelivered = (typeof UNDELIVERED)[number];

/** The `version` of each reason of an order, by its key (`reasonKey`), as a page showed it: a reason that is not there was not seen. */
export type SeenReasons = Record<string, string>;

/** A reason of an order that a person has marked as handled. */
export type HandledItem = Pick<AttentionItem, "orderId" | "reason" | "requestIds">;

/** Orders that need a person for one kind of reason. */
export interface ReasonCount {
  code: string;
  count: number;
}
