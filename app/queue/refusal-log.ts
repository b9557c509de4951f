import { INSTALLATION } from "../modules/kernel/access-chain.ts";
import type { ShopDomain } from "../modules/kernel/ids.ts";
import type { Tenant } from "../modules/kernel/tenant.ts";
import type { Environment } from "../modules/shops/connection.ts";
import type { Clock } from "../platform/clock.ts";
import { refusals } from "../platform/counters.ts";
import type { Logger } from "../platform/logger.ts";
import { regularly } from "./regularly.ts";
import type { Loop } from "./vitals.ts";

/** Where somebody is let in, or a message is believed: by whose token or by which signature. */
const PLACES = {
  staff_token: "sign_in_refused",
  customer_token: "sign_in_refused",
  link: "sign_in_refused",
  proxy: "signature_refused",
  webhook: "signature_refused",
  service_event: "signature_refused",
} as const;
export type RefusalPlace = keyof typeof PLACES;
export const REFUSAL_PLACES = Object.keys(PLACES) as RefusalPlace[];

/** Refusals are added up for so long before they are written: a flood costs a row for each place and shop. */
export const REFUSALS_EVERY_MS = 10_000;
/** At most so many pairs of place and shop are told apart meanwhile; the rest is the installation's. */
const MAX_TOLD_APART = 200;
/** So many within one such time are an attack or a broken setting: an operator has to look. */
const MANY = 50;

export interface RefusalLog {
  /**
   * Counts one. `shop`: the one that the call named, which need not be ours, nor have anything to do with it. `environment`: of
   * the connection whose address it came to.
   */
  note(place: RefusalPlace, shop?: ShopDomain | null, environment?: Environment): void;
  /** Writes what was counted to the access logs. */
  flush(): Promise<void>;
}

/** The refusals that are added up to one number. */
interface Counted {
  place: RefusalPlace;
  shop: ShopDomain | null;
  environment?: Environment | undefined;
}

/**
 * Counts refused sign-ins and signatures, and writes them to the access log of the shop that they named, when it is one
 * of ours, and else to the installation's. Counts that cannot be written wait for the next turn.
 */
export function createRefusalLog(options: {
  inLog<T>(log: string, work: (tenant: Pick<Tenant, "accessLog">) => Promise<T>): Promise<T>;
  isOurs: (shop: ShopDomain) => Promise<boolean>;
  clock: Clock;
  logger: Logger;
}): RefusalLog {
  const { inLog, isOurs, clock, logger } = options;
  let counts = new Map<string, Counted & { count: number }>();
  let since = new Date(0);

  function add({ place, shop, environment }: Counted, by: number): void {
    if (counts.size === 0) since = clock.now();
    const key = `${place} ${shop ?? ""} ${environment ?? ""}`;
    const known = counts.get(key);
    if (known) known.count += by;
    else if (shop && counts.size >= MAX_TOLD_APART) add({ place, shop: null }, by);
    else counts.set(key, { place, shop, environment, count: by });
  }

  async function write({ place, shop, environment }: Counted, count: number): Promise<void> {
    const log = shop && (await isOurs(shop)) ? shop : INSTALLATION;
    const detail = {
      ...{ place, count, since: since.toISOString() },
      ...(environment && { environment }),
    };
    await inLog(log, ({ accessLog }) =>
      accessLog.add({ at: clock.now(), who: "unknown", what: PLACES[place], detail }),
    );
  }

  return {
    note(place, shop = null, environment) {
      refusals.add({ place });
      add({ place, shop, environment }, 1);
    },
    async flush() {
      const due = [...counts.values()];
      counts = new Map();
      for (const [index, { count, ...counted }] of due.entries()) {
        const { place } = counted;
        if (count >= MANY) logger.error({ place, count }, "many refused sign-ins or signatures");
        try {
          await write(counted, count);
        } catch (error) {
          // The log of one shop may take none for long: the next turn begins with the others.
          for (const left of due.slice(index + 1)) add(left, left.count);
          add(counted, count);
          throw error;
        }
      }
    },
  };
}

/** Writes refusals down regularly, and once more at the end. */
export function startRefusalLog(log: RefusalLog, loop: Loop): { stop(): Promise<void> } {
  const times = { firstMs: REFUSALS_EVERY_MS, everyMs: REFUSALS_EVERY_MS };
  const turns = regularly(loop, times, () => log.flush());
  return {
    stop() {
      turns.stop();
      return log.flush();
    },
  };
}
