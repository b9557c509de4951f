import type { ShopDomain } from "../modules/kernel/ids.ts";
import type { TenancyOf } from "../modules/kernel/tenant.ts";
import {
  type AnswersLately,
  type ConnectionRepository,
  type Environment,
  type LateCalls,
  UNREACHABLE_FROM_HERE,
} from "../modules/shops/connection.ts";
import type { Clock } from "../platform/clock.ts";
import { causeCode } from "../platform/error-code.ts";
import { NOT_ANSWERED, type ReferralServiceFailure } from "../platform/errors.ts";
import type { Logger } from "../platform/logger.ts";
import { createTelling } from "../platform/telling.ts";
import { regularly } from "./regularly.ts";
import type { Loop } from "./vitals.ts";

/** Calls are added up for so long before a connection's row is written: a busy shop costs one write for each time. */
export const CALLS_EVERY_MS = 5_000;

/** Codes of a machine that reaches nobody, or trusts nobody whom a proxy stands in for: the merchant's service has no part in it. */
const OWN_CODES: ReadonlySet<string> = new Set([
  ...["EAI_AGAIN", "ENOTFOUND", "ENETUNREACH", "ENETDOWN", "EADDRNOTAVAIL", "EMFILE", "ENFILE"],
  ...["CERT_NOT_YET_VALID", "SELF_SIGNED_CERT_IN_CHAIN", "UNABLE_TO_GET_ISSUER_CERT_LOCALLY"],
]);

/** A call that ended: `failure` is null, or how it failed. */
export interface CallOutcome {
  failure: ReferralServiceFailure | null;
  /** Tells the operator why. */
  error?: unknown;
  /** Whether it was an order that left this process. */
  isOrder?: boolean;
}

export interface CallLog {
  /** Notes a call that ended. */
  note(shop: ShopDomain, environment: Environment, call: CallOutcome): void;
  /** Writes what was noted to the connections. */
  flush(): Promise<void>;
}

type Lately = LateCalls & { shop: ShopDomain; environment: Environment };

/**
 * Keeps on each connection since when its calls fail, and when one was answered last: health is told from what happened.
 * An answer that refuses what was asked is an answer. Orders are added up apart too: a service may answer all the rest. A note that
 * can't be written waits for the next turn. The log says why no answer came,
 * once a minute for each code: to many who call that is an outcome, and no failure of a job.
 */
export function createCallLog({
  tenancy,
  clock,
  logger,
}: {
  tenancy: Pick<
    TenancyOf<{ connections: Pick<ConnectionRepository, "recordCalls"> }>,
    "inKnownShop"
  >;
  clock: Clock;
  logger: Pick<Logger, "warn">;
}): CallLog {
  let lately = new Map<string, Lately>();
  const isNews = createTelling();
  /** Connections whose last call failed by a code of this machine. */
  const unreachable = new Set<string>();
  return {
    note(shop, environment, { failure, error, isOrder = false }) {
      const key = `${shop} ${environment}`;
      const known = lately.get(key);
      const at = clock.now();
      const isAnswer = failure === null || !NOT_ANSWERED.has(failure);
      // A call that was held back knows no more than the one before, and has no cause.
      const code = failure === "connection" || failure === "timeout" ? causeCode(error) : null;
      if (code !== null && OWN_CODES.has(code)) unreachable.add(key);
      else if (code !== null || failure !== "connection") unreachable.delete(key);
      const failureCode = unreachable.has(key)
        ? UNREACHABLE_FROM_HERE
        : `referral_service_${failure}`;
      lately.set(key, {
        ...{ shop, environment },
        ...added(known ?? null, { isAnswer, at }),
        failureCode: isAnswer ? null : failureCode,
        orders: isOrder ? added(known?.orders ?? null, { isAnswer, at }) : (known?.orders ?? null),
      });
      if (code === null || !isNews(`${environment} ${code}`)) return;
      logger.warn({ shop, environment, code, err: error }, "the referral service does not answer");
    },
    async flush() {
      const due = lately;
      lately = new Map();
      for (const [key, { shop, environment, ...calls }] of due)
        try {
          // A shop that was erased meanwhile gets no key again.
          await tenancy.inKnownShop(shop, ({ connections }) =>
            connections.recordCalls(environment, calls),
          );
          due.delete(key);
        } catch (error) {
          // Somebody may hold its row for long: the next turn begins with the others.
          due.delete(key);
          due.set(key, { shop, environment, ...calls });
          // A note that came meanwhile is newer.
          for (const [left, noted] of due) if (!lately.has(left)) lately.set(left, noted);
          throw error;
        }
    },
  };
}

function added(
  known: AnswersLately | null,
  { isAnswer, at }: { isAnswer: boolean; at: Date },
): AnswersLately {
  return isAnswer
    ? { answeredAt: at, failingSince: null }
    : { answeredAt: known?.answeredAt ?? null, failingSince: known?.failingSince ?? at };
}

/** Writes regularly, and once more at the end. */
export function startCallLog(log: CallLog, loop: Loop): { stop(): Promise<void> } {
  const times = { firstMs: CALLS_EVERY_MS, everyMs: CALLS_EVERY_MS };
  const turns = regularly(loop, times, () => log.flush());
  return {
    stop() {
      turns.stop();
      return log.flush();
    },
  };
}
