import type { ShopDomain } from "../kernel/ids.ts";
import type { Job as JobBelow } from "../kernel/jobs.ts";
import type { UnitOwner } from "../patients/unit-owner.ts";
import type { Environment } from "../shops/connection.ts";
import type { Reached, ToldWay } from "./milestone.ts";

/** Work that this module or a lower one asks for. */
export type Job =
  | JobBelow
  | { name: "handle-service-event"; shop: ShopDomain; inboxId: string }
  | { name: "create-referral"; shop: ShopDomain; requestId: string }
  | { name: "resolve-ambiguous"; shop: ShopDomain; requestId: string }
  | { name: "delete-referrals"; shop: ShopDomain; requestId: string }
  | { name: "correct-referrals"; shop: ShopDomain; requestId: string }
  | ({
      name: "refetch-referral";
      shop: ShopDomain;
      environment: Environment;
      uuid: string;
    } & IfStill &
      Behind)
  | ({
      name: "refetch-result";
      shop: ShopDomain;
      environment: Environment;
      uuid: string;
    } & Behind)
  | ({ name: "publish-order-status"; shop: ShopDomain; way?: ToldWay } & Reached)
  | { name: "move-documents"; shop: ShopDomain; after: string | null }
  | { name: "escalate-hold"; shop: ShopDomain; uuid: string }
  | { name: "sync-connection"; shop: ShopDomain; environment: Environment }
  | ({ name: "send-reminder"; shop: ShopDomain } & ReminderStep);

/** Left out where the referral is to be fetched whatever is stored of it. */
interface IfStill {
  ifStill?: "CREATED" | undefined;
}

/** Set where nothing is known here of what is to be fetched: everything that is known comes first. */
interface Behind {
  behind?: true | undefined;
}

/** One reminder of a chain that began when somebody was first asked for details. */
export interface ReminderStep {
  requestId: string;
  /** The owner who is reminded. The chain of reminders ends when the unit is no longer theirs. */
  owner: UnitOwner;
  /** When the chain began, in milliseconds since 1970. */
  since: number;
  /** 0 for the first. */
  step: number;
}
