import type {
  CreateOutcome,
  ReferralOrder,
  ReferralService,
} from "../../app/modules/referrals/referral-service.ts";
import type { ReferralSnapshot } from "../../app/modules/referrals/snapshots.ts";
import { referralSnapshot } from "../database/snapshots.ts";
import { only } from "./only.ts";

export const BEHAVIOURS = [
  "create",
  "reject",
  "refuse_connection",
  "unauthorized",
  "error_before",
  "error_after",
  "late",
] as const;
export type Behaviour = (typeof BEHAVIOURS)[number];

/** How late the service may create what a call asked for, and show it in its list: within the quarantine, both together. */
export const LATE_MS = 5 * 60_000;
export const STALE_MS = 5 * 60_000;

interface Sent {
  reference: string;
  deadlineAt: number;
  answered: boolean;
}

interface Known {
  snapshot: ReferralSnapshot;
  reference: string;
  listedAt: number;
}

/** Models what the ledger may rely on about the service, and everything that it may not. */
export function createModelService(now: () => number) {
  const base = referralSnapshot();
  const referrals: Known[] = [];
  const late: { at: number; order: ReferralOrder }[] = [];
  const calls: Sent[] = [];
  const violations: string[] = [];
  let behaviours: Behaviour[] = [];
  let serial = 0;
  const service = {
    staleMs: 0,
    listWorks: true,
    calls,
    violations,
    next: (...wanted: Behaviour[]) => behaviours.push(...wanted),
    heal() {
      behaviours = [];
      service.staleMs = 0;
      service.listWorks = true;
    },
    /** Whatever was asked for and is created late is created by then. */
    reach(time: number) {
      for (const one of late.filter(({ at }) => at <= time)) {
        late.splice(late.indexOf(one), 1);
        create(one.order, one.at);
      }
    },
    uuids: () => referrals.map(({ snapshot }) => snapshot.uuid),
    count: (reference: string) => referrals.filter((one) => one.reference === reference).length,
    /** Returns the service as one process sees it; `pause` is called wherever time can pass. */
    seenBy(pause: (what: string) => Promise<void>): ReferralService {
      return only<ReferralService>("service", {
        async createReferral(order, { deadlineAt }) {
          await pause("create: token");
          if (now() >= deadlineAt.getTime()) return notSent("deadline", true);
          const behaviour = behaviours.shift() ?? "create";
          if (behaviour === "refuse_connection") return notSent("ECONNREFUSED", true);
          const call = arrive(order, deadlineAt.getTime());
          const outcome = become(behaviour, order);
          await pause("create: answer");
          call.answered = true;
          // Nobody listens any longer than that.
          return now() > deadlineAt.getTime() ? { kind: "unknown", reason: "timeout" } : outcome;
        },
        async getReferral(uuid) {
          await pause("get");
          return referrals.find((one) => one.snapshot.uuid === uuid)?.snapshot ?? null;
        },
        async *referralsNewestFirst() {
          await pause("list");
          const shown = referrals.filter((one) => one.listedAt <= now()).toReversed();
          for (const { snapshot } of shown) {
            await pause("list: next");
            if (!service.listWorks) throw new Error("the list broke off");
            yield snapshot;
          }
          if (!service.listWorks) throw new Error("the list broke off");
        },
      });
    },
  };

  function arrive(order: ReferralOrder, deadlineAt: number): Sent {
    const reference = order.referenceNumber;
    const others = calls.filter((one) => one.reference === reference);
    if (others.some((one) => !one.answered && now() < one.deadlineAt))
      violations.push(`${reference}: sent while another sender was before its deadline`);
    if (service.count(reference) > 0) violations.push(`${reference}: sent when it existed`);
    const call: Sent = { reference, deadlineAt, answered: false };
    calls.push(call);
    return call;
  }

  function become(behaviour: Behaviour, order: ReferralOrder): CreateOutcome {
    switch (behaviour) {
      case "create":
        return { kind: "created", referrals: [create(order, now())] };
      case "error_after":
        create(order, now());
        return { kind: "unknown", reason: "500" };
      case "late":
        late.push({ at: now() + LATE_MS, order });
        return { kind: "unknown", reason: "reset" };
      case "reject":
        return {
          kind: "rejected",
          status: 400,
          code: "INVALID_PAYLOAD",
          message: "no",
          errorList: [],
        };
      case "unauthorized":
        return notSent("401", false);
      case "refuse_connection":
      case "error_before":
        return { kind: "unknown", reason: "500" };
    }
  }

  function create(order: ReferralOrder, at: number): ReferralSnapshot {
    const time = new Date(at).toISOString();
    const snapshot: ReferralSnapshot = {
      ...base,
      uuid: `referral-${++serial}`,
      status: "CREATED",
      referenceNumber: order.referenceNumber,
      metadata: order.metadata,
      referralAttachment: null,
      resultsUuid: null,
      deletedAt: null,
      createdAt: time,
      updatedAt: time,
      medicare: false,
    };
    referrals.push({ snapshot, reference: order.referenceNumber, listedAt: at + service.staleMs });
    return snapshot;
  }

  return service;
}

function notSent(reason: string, retryable: boolean): CreateOutcome {
  return { kind: "not_sent", reason, retryable, retryAfterMs: null };
}
