import { crashPoint } from "../../platform/crash-points.ts";
import { ReferralServiceError } from "../../platform/errors.ts";
import { isSealedShut } from "../../platform/key-troubles.ts";
import type { ShopDomain } from "../kernel/ids.ts";
import { CUT_OFF_AFTER_MS, type Environment } from "../shops/connection.ts";
import { recordUnreadable } from "./events/record-unreadable.ts";
import { readAhead } from "./events/sync-ahead.ts";
import { findNews } from "./events/sync-page.ts";
import { openService } from "./open-service.ts";
import type { Ports } from "./ports.ts";
import { resumeAfterRestore } from "./resume-after-restore.ts";
import type { SyncWalk } from "./sync-walk.ts";
import { isUnauthorized } from "./tell-waiting.ts";
import type { Tenant } from "./tenant.ts";

export type SyncOutcome =
  | { kind: "synced"; seen: number; repaired: number }
  /** The walk goes on in the job that was queued. */
  | { kind: "goes_on"; seen: number; repaired: number }
  /** Another run has taken the walk on. */
  | { kind: "superseded" }
  | { kind: "nothing_open" }
  | { kind: "no_connection" };

/** The service's clock may differ from ours by this much. */
const CLOCK_TOLERANCE_MS = 10 * 60_000;
/** One run ends after so long, at a page boundary: other connections want their turn. */
const RUN_MS = 60_000;
/** Nobody says how long a cursor lives, and a list that old is worth reading from its beginning. */
const WALK_LIVES_MS = 6 * 3_600_000;
/** An event of a change so recent may be under way, or wait for its look. At most a tenth of the time between two walks. */
const UNDER_WAY_MS = 30_000;

type ServiceSyncPorts = Pick<Ports, "tenancy" | "services" | "clock" | "waits" | "logger">;
type Target = { shop: ShopDomain; environment: Environment };

/**
 * Walks the service's lists newest first, back to the oldest referral that may still change, and queues a
 * refetch for each of ours that differs from what is stored. But for changes of a moment ago, those are events that never came.
 * They are counted, so that the merchant sees how reliable the events are. Where the walk is, what it queued and what it
 * counted are one commit: a run that dies, or is long, is taken up by the next. Pages that the service has given while
 * an earlier commit was under way go into the next one together, so that a long walk takes as long as the service.
 */
export async function syncConnection(
  ports: ServiceSyncPorts,
  target: Target,
): Promise<SyncOutcome> {
  const { tenancy, clock, waits, logger } = ports;
  const { shop, environment } = target;
  const service = await openService(ports, target).catch(async (error: unknown) => {
    throw await giveUpIfRefused(ports, target, error);
  });
  if (!service) return { kind: "no_connection" };
  const startedAt = clock.now();
  const found = await tenancy.inShop(shop, async (tenant) => {
    const pause = await tenant.restores.pause(environment);
    const walk = await walkOf(tenant, environment, { now: startedAt, pause });
    return { walk, isPaused: pause !== null };
  });
  let { walk } = found;
  if (!walk) return { kind: "nothing_open" };
  const totals = { seen: 0, repaired: 0 };
  const mayGoOn = () => clock.now().getTime() - startedAt.getTime() <= RUN_MS;
  // A pause that begins during this run is ended by a walk that begins after it.
  const how = { mayGoOn, keepsWhole: found.isPaused };
  using ahead = readAhead({ service, logger }, walk, how);
  for (;;) {
    const { pages, failure } = await ahead.take();
    const last = pages.at(-1);
    // The pages that were read before the failure are recorded before the failure is told.
    if (!last) throw await giveUpIfRefused(ports, target, failure?.error);
    const { next } = last;
    const current: SyncWalk = walk;
    crashPoint("sync.mid-walk");
    const repaired = await tenancy.inShop(shop, async (tenant) => {
      const step = { pages: pages.length, next };
      // A list that breaks off gives what is on it, and proves nothing by what it lacks. After a restore, the walk stays before it.
      const isProof =
        !pages.some(({ list, isBrokenOff }) => list === "referrals" && isBrokenOff) ||
        !(await tenant.restores.pause(environment));
      if (isProof && !(await tenant.serviceSync.advance(environment, current, step))) return null;
      const now = clock.now();
      await recordUnreadable(tenant, environment, { pages, now });
      const news = await findNews(tenant, environment, { pages, now });
      if (!isProof) return "broken_off";
      const toldUntil = now.getTime() - Math.min(UNDER_WAY_MS, waits.syncIntervalMs / 10);
      const missed = news.filter(({ touchedAt }) => touchedAt <= toldUntil);
      if (missed.length > 0) await tenant.serviceSync.countRepairs(environment, missed.length);
      if (!next) crashPoint("sync.before-record");
      if (!next)
        await resumeAfterRestore(tenant, environment, {
          walkStartedAt: current.startedAt,
          waits,
          clock,
        });
      if (last.isRunOver) await tenant.jobs.enqueue({ name: "sync-connection", ...target });
      return news.length;
    });
    if (repaired === null) return { kind: "superseded" };
    if (repaired === "broken_off")
      throw new ReferralServiceError("contract_mismatch", "a full page of the list has no cursor");
    for (const { entries } of pages) totals.seen += entries.length;
    totals.repaired += repaired;
    if (!next) return { kind: "synced", ...totals };
    if (last.isRunOver) return { kind: "goes_on", ...totals };
    walk = { ...current, ...next, pages: current.pages + pages.length };
  }
}

/** The walk that is under way, or a new one; null when nothing at the service can have changed. */
async function walkOf(
  tenant: Tenant,
  environment: Environment,
  { now, pause }: { now: Date; pause: { knownUntil: Date } | null },
): Promise<SyncWalk | null> {
  const underWay = await tenant.serviceSync.find(environment);
  if (underWay && now.getTime() - underWay.startedAt.getTime() < WALK_LIVES_MS) return underWay;
  const open = await tenant.serviceSync.oldestOpen(environment);
  const bounds = [open, pause?.knownUntil].flatMap((at) => (at ? [at.getTime()] : []));
  if (bounds.length === 0) {
    // No call will say so.
    await tenant.connections.recordReadable(environment);
    return null;
  }
  const lowerBound = new Date(Math.min(...bounds) - CLOCK_TOLERANCE_MS);
  const walk: SyncWalk = { list: "referrals", cursor: null, startedAt: now, lowerBound, pages: 0 };
  await tenant.serviceSync.begin(environment, walk);
  return walk;
}

/** A cursor that the service refuses will be refused for ever: the next walk begins at the beginning. */
async function giveUpIfRefused(
  { tenancy, clock }: ServiceSyncPorts,
  { shop, environment }: Target,
  error: unknown,
): Promise<unknown> {
  const refused = error instanceof ReferralServiceError && error.failure === "rejected";
  if (refused) await tenancy.inShop(shop, (tenant) => tenant.serviceSync.abandon(environment));
  // Who waits for results is told unless the credentials work again until then.
  if (isUnauthorized(error) || isSealedShut(error))
    await tenancy.inShop(shop, (tenant) => {
      const notBefore = new Date(clock.now().getTime() + CUT_OFF_AFTER_MS);
      return tenant.jobs.enqueue({ name: "tell-waiting", shop, environment }, { notBefore });
    });
  return error;
}
