import { crashPoint } from "../../lib/crash-points.ts";
import { ReferralServiceError } from "../../lib/errors.ts";
import type { Environment } from "../connections/connection.ts";
import type { ShopDomain } from "../ids.ts";
import type { Ports } from "../ports.ts";
import type { ReferralService } from "../referrals/referral-service.ts";
import { resumeAfterRestore } from "../restore/resume-after-restore.ts";
import type { Tenant } from "../tenant.ts";
import { findNews, type ListPage, readPage } from "./tail-page.ts";
import { TAILED_LISTS, type TailWalk } from "./tail-walk.ts";

export type TailOutcome =
  | { kind: "tailed"; seen: number; repaired: number }
  /** The walk goes on in the job that was queued. */
  | { kind: "goes_on"; seen: number; repaired: number }
  /** Another run has taken the walk on. */
  | { kind: "superseded" }
  | { kind: "nothing_open" }
  | { kind: "no_connection" };

/** The service's clock may differ from ours by this much. */
const CLOCK_TOLERANCE_MS = 10 * 60_000;
/** One run ends after so many pages or so long, at a page boundary: other connections want their turn. */
export const PAGES_PER_RUN = 250;
const RUN_MS = 60_000;
/** Nobody says how long a cursor lives, and a list that old is worth reading from its beginning. */
const WALK_LIVES_MS = 6 * 3_600_000;

type TailPorts = Pick<Ports, "tenancy" | "services" | "clock">;
type Target = { shop: ShopDomain; environment: Environment };

/**
 * Walks the service's lists newest first, back to the oldest referral that may still change, and queues a
 * refetch for each of ours that differs from what is stored: those are events that never came. They are
 * counted, so that the merchant sees how reliable the events are. Where the walk is, what it queued and what it
 * counted are one commit for each page: a run that dies, or is long, is taken up by the next.
 */
export async function tailConnection(ports: TailPorts, target: Target): Promise<TailOutcome> {
  const { tenancy, services, clock } = ports;
  const { shop, environment } = target;
  const service = await services.forConnection(shop, environment);
  if (!service) return { kind: "no_connection" };
  const startedAt = clock.now();
  let walk = await tenancy.inShop(shop, (tenant) => walkOf(tenant, environment, startedAt));
  if (!walk) return { kind: "nothing_open" };
  const totals = { seen: 0, repaired: 0 };
  let reading = readAhead(service, walk);
  for (let pages = 1; ; pages++) {
    const page = await reading.catch((error: unknown) => giveUpIfRefused(ports, target, error));
    const { entries, isLast } = above(page, walk.floor);
    const next = nextPlace(walk, page, isLast);
    // The service is asked for the next page while this one is compared.
    const following: TailWalk | null = next && { ...walk, ...next, pages: walk.pages + 1 };
    const isOver = pages >= PAGES_PER_RUN || clock.now().getTime() - startedAt.getTime() > RUN_MS;
    if (following && !isOver) reading = readAhead(service, following);
    const current: TailWalk = walk;
    crashPoint("tail.mid-walk");
    const repaired = await tenancy.inShop(shop, async (tenant) => {
      if (!(await tenant.tail.advance(environment, current, next))) return null;
      const news = await findNews(tenant, environment, { list: current.list, entries });
      if (news > 0) await tenant.tail.countRepairs(environment, news);
      if (!next) crashPoint("tail.before-record");
      if (!next) await resumeAfterRestore(tenant, environment, current.startedAt);
      if (next && isOver) await tenant.jobs.enqueue({ name: "tail-connection", ...target });
      return news;
    });
    if (repaired === null) return { kind: "superseded" };
    totals.seen += entries.length;
    totals.repaired += repaired;
    if (!following) return { kind: "tailed", ...totals };
    if (isOver) return { kind: "goes_on", ...totals };
    walk = following;
  }
}

/** The walk that is under way, or a new one; null when nothing at the service can have changed. */
async function walkOf(
  tenant: Tenant,
  environment: Environment,
  now: Date,
): Promise<TailWalk | null> {
  const underWay = await tenant.tail.find(environment);
  if (underWay && now.getTime() - underWay.startedAt.getTime() < WALK_LIVES_MS) return underWay;
  const open = await tenant.tail.oldestOpen(environment);
  const restored = await tenant.restores.pausedFrom(environment);
  const floors = [open, restored].flatMap((at) => (at ? [at.getTime()] : []));
  if (floors.length === 0) return null;
  const floor = new Date(Math.min(...floors) - CLOCK_TOLERANCE_MS);
  const walk: TailWalk = { list: "referrals", cursor: null, startedAt: now, floor, pages: 0 };
  await tenant.tail.begin(environment, walk);
  return walk;
}

function readAhead(service: ReferralService, { list, cursor }: TailWalk): Promise<ListPage> {
  const reading = readPage(service, list, cursor);
  // Heard when it is waited for; a run that fails before that must not end the process.
  reading.catch(() => {});
  return reading;
}

/** Entries that are not known ground. Sorted by creation or by last change, what follows is older still (§4.2). */
function above({ entries }: ListPage, floor: Date) {
  const end = entries.findIndex(({ touchedAt }) => touchedAt < floor.getTime());
  return end === -1 ? { entries, isLast: false } : { entries: entries.slice(0, end), isLast: true };
}

function nextPlace(walk: TailWalk, page: ListPage, isLast: boolean) {
  if (!isLast && page.next !== null && page.next !== walk.cursor)
    return { list: walk.list, cursor: page.next };
  const list = TAILED_LISTS[TAILED_LISTS.indexOf(walk.list) + 1];
  return list ? { list, cursor: null } : null;
}

/** A cursor that the service refuses will be refused for ever: the next walk begins at the beginning. */
async function giveUpIfRefused(
  { tenancy }: TailPorts,
  { shop, environment }: Target,
  error: unknown,
): Promise<never> {
  const refused = error instanceof ReferralServiceError && error.failure === "rejected";
  if (refused) await tenancy.inShop(shop, (tenant) => tenant.tail.abandon(environment));
  throw error;
}
