/** Long because it holds every command of the model with what must be true after it, in one closed list. */

import { savePatientDetails } from "../../app/modules/access/save-patient-details.ts";
import { gid, type ShopDomain } from "../../app/modules/kernel/ids.ts";
import { installShop } from "../../app/modules/lifecycle/install-shop.ts";
import type { StoreOrder } from "../../app/modules/orders/order.ts";
import { reconcileOrder } from "../../app/modules/orders/reconcile-order.ts";
import { createReferral, REPORTING_GRACE_MS } from "../../app/modules/referrals/create-referral.ts";
import type { StoredReferral } from "../../app/modules/referrals/referral-repository.ts";
import { refetchReferral } from "../../app/modules/referrals/referrals/refetch-referral.ts";
import { releaseRequest } from "../../app/modules/referrals/release-request.ts";
import { resolveAmbiguous } from "../../app/modules/referrals/resolve-ambiguous.ts";
import { retryRequest } from "../../app/modules/referrals/retry-request.ts";
import { isSameReason } from "../../app/modules/referrals/review-reason.ts";
import { standingOf } from "../../app/modules/referrals/standing.ts";
import type { Job } from "../../app/modules/reports/jobs.ts";
import type { ShopSettings } from "../../app/modules/shops/shop.ts";
import { createLogger } from "../../app/platform/logger.ts";
import type { Ports } from "../../app/ports.ts";
import { START } from "../database/clock.ts";
import { EMPTY_JOURNAL } from "../database/empty-journal.ts";
import { IN_DATABASE } from "../database/in-database.ts";
import { orderLine, PATIENT, storeOrder } from "../database/seed.ts";
import { memoryTenancy, type QueuedJob, type RequestRow } from "./memory-tenancy.ts";
import { createModelService, LATE_MS, STALE_MS } from "./model-service.ts";
import { createRows, type Rows } from "./rows.ts";
import { createScheduler, type Process } from "./scheduler.ts";

const SHOP: ShopDomain = "model.myshopify.com";
const CREATE_TIMEOUT_MS = 120_000;
export const QUARANTINE_MS = 15 * 60_000;
if (LATE_MS + STALE_MS >= QUARANTINE_MS) throw new Error("the quarantine must outlast the service");
/** A dead worker's job goes to another after so long. */
const TAKEOVER_MS = 15_000;
const RETRY_MS = 5_000;
const ORDER = gid("Order", 1001);
const CUSTOMER = gid("Customer", 7);
const logger = createLogger("silent");
const DETAILS = { ...PATIENT, consent: true };

interface Running {
  process: Process;
  queued: QueuedJob | null;
  done: boolean;
}

/**
 * One shop with one order, the real use cases of the ledger over a store of rows in memory, any number of
 * processes, and a service that does everything its interface leaves open. Nothing happens unless it is told to.
 */
export function openModelWorld() {
  let time = START.getTime();
  const now = () => new Date(time);
  const violations: string[] = [];
  const rows = createRows((key, before, after) => {
    if (key.startsWith("request "))
      watch(violations, before as RequestRow | null, after as RequestRow);
  });
  const scheduler = createScheduler();
  const service = createModelService(() => time);
  const taken = new Set<number>();
  const delayed = new Map<number, number>();
  const running: Running[] = [];
  let quantity = 2;
  let cancelledAt: Date | null = null;
  let processes = 0;
  let hints = 0;
  /** How often the store changed the order: each time a second later. */
  let changes = 0;
  let latestFailure = "none";

  function portsOf(process: Process) {
    const pause = (what: string) => scheduler.pause(process, what);
    const tenancy = memoryTenancy({
      rows,
      pause,
      now,
      open: (transaction) => {
        process.transactions.add(transaction);
        return () => void process.transactions.delete(transaction);
      },
    });
    const seen = service.seenBy(pause);
    const ports: Pick<
      Ports,
      | "tenancy"
      | "services"
      | "storeOrders"
      | "attachments"
      | "documentBodies"
      | "mailJournal"
      | "clock"
      | "waits"
      | "logger"
      | "emailByService"
      | "orderRisk"
    > = {
      tenancy,
      services: {
        // A shop that has uninstalled has no connections.
        forConnection: async () => {
          await pause("connection");
          return rows.committed<{ installed: boolean }>(`shop ${SHOP}`)[0]?.installed ? seen : null;
        },
      },
      storeOrders: {
        findByName: async () => null,
        read: async () => {
          await pause("store");
          return order();
        },
      },
      documentBodies: IN_DATABASE,
      mailJournal: EMPTY_JOURNAL,
      attachments: { download: async () => ({ kind: "gone", reason: "none here" }) },
      clock: { now },
      waits: {
        createTimeoutMs: CREATE_TIMEOUT_MS,
        quarantineMs: QUARANTINE_MS,
        documentOverdueMs: 600_000,
        erasureDelayMs: 0,
        syncIntervalMs: 60_000,
        reminderDayMs: 86_400_000,
        mailWindowMs: 0,
        escalationHourMs: 3_600_000,
      },
      logger,
      emailByService: false,
      orderRisk: { assess: async () => "clear" },
    };
    return ports;
  }

  const order = (): StoreOrder =>
    storeOrder({
      id: ORDER,
      cancelledAt,
      updatedAt: new Date(START.getTime() + changes * 1000),
      customerId: CUSTOMER,
      buyer: { ...storeOrder().buyer, email: null },
      lines: [orderLine({ quantity: 3, currentQuantity: quantity })],
    });

  /** Begins something in a process of its own, as each request and each job has. */
  function begin(
    queued: QueuedJob | null,
    work: (ports: ReturnType<typeof portsOf>) => Promise<unknown>,
  ): Running {
    const process = scheduler.newProcess(`process ${++processes}`);
    const one: Running = { process, queued, done: false };
    running.push(one);
    work(portsOf(process)).then(
      () => finish(one, null),
      (error: unknown) => {
        latestFailure = String(error);
        // A gap of the model would otherwise look like a job that is tried again.
        if (String(error).includes("is not modelled")) violations.push(String(error));
        finish(one, RETRY_MS);
      },
    );
    return one;
  }

  /** Tells the engine the end: the job is done, or is to be tried again. */
  function finish(one: Running, retryMs: number | null): void {
    if (one.process.dead || one.done) return;
    one.done = true;
    running.splice(running.indexOf(one), 1);
    if (one.queued && retryMs !== null) putBack(one.queued, retryMs);
  }

  function putBack(queued: QueuedJob, afterMs: number): void {
    taken.delete(queued.id);
    delayed.set(queued.id, time + afterMs);
  }

  const dueAt = ({ id, startAfter }: QueuedJob) => delayed.get(id) ?? startAfter.getTime();
  const queue = () => rows.committed<QueuedJob>("job ").filter(({ id }) => !taken.has(id));
  const due = () => queue().filter((queued) => dueAt(queued) <= time);
  const requests = () => rows.committed<RequestRow>(`request ${SHOP} `);
  const uninstalled = () => !rows.committed<{ installed: boolean }>(`shop ${SHOP}`)[0]?.installed;
  const pick = <T>(list: readonly T[], choice: number): T | undefined =>
    list[choice % Math.max(1, list.length)];
  /** A message of the store, stored before it was answered: nothing takes it away again. */
  const hint = async () => {
    const transaction = rows.begin(async () => {});
    const id = -++hints;
    const job = { name: "reconcile-order", shop: SHOP, orderId: ORDER } as const;
    await transaction.insert<QueuedJob>(`job ${id}`, { id, job, startAfter: now() });
    transaction.commit();
  };

  /** The regular look for senders whose time is over (app/queue/silent-senders.ts). */
  const lookForSilent = async () => {
    const transaction = rows.begin(async () => {});
    for (const { id: requestId, state, attemptDeadlineAt } of requests()) {
      const overdueAt = (attemptDeadlineAt?.getTime() ?? 0) + REPORTING_GRACE_MS;
      if (state !== "sending" || overdueAt > time) continue;
      const id = -++hints;
      const job = { name: "resolve-ambiguous", shop: SHOP, requestId } as const;
      await transaction.insert<QueuedJob>(`job ${id}`, { id, job, startAfter: now() });
    }
    transaction.commit();
  };
  /** When the first of the senders that say nothing is looked for. */
  const silentAt = () =>
    Math.min(
      ...requests().flatMap(({ state, attemptDeadlineAt: deadline }) =>
        state === "sending" && deadline ? [deadline.getTime() + REPORTING_GRACE_MS] : [],
      ),
    );

  const world = {
    service,
    scheduler,
    requests,
    queue,
    running,
    violations: () => [...violations, ...service.violations, ...misplaced(rows)],
    step: (choice: number) => scheduler.step(choice),
    loseConnection: (choice: number) => scheduler.step(choice, new Error("connection lost")),
    async kill(choice: number): Promise<void> {
      const victim = pick(running, choice);
      if (!victim) return;
      await scheduler.kill(victim.process);
      running.splice(running.indexOf(victim), 1);
      if (victim.queued) putBack(victim.queued, TAKEOVER_MS);
    },
    /** A job whose worker only seems dead goes to another, and is that one's to end from then on. */
    giveAgain(choice: number): void {
      const slow = pick(
        running.filter(({ queued }) => queued !== null),
        choice,
      );
      if (!slow?.queued) return;
      begin(slow.queued, taskOf(slow.queued.job));
      slow.queued = null;
    },
    work(choice: number): void {
      const queued = pick(due(), choice);
      if (!queued) return;
      taken.add(queued.id);
      begin(queued, taskOf(queued.job));
    },
    async advance(ms: number): Promise<void> {
      time += ms;
      service.reach(time);
      await lookForSilent();
    },
    /** The store changes the order, and says so. */
    setQuantity(to: number): Promise<void> {
      quantity = to;
      changes++;
      return hint();
    },
    cancelOrder(): Promise<void> {
      cancelledAt = now();
      changes++;
      return hint();
    },
    giveDetails(choice: number): void {
      const request = pick(requests(), choice);
      if (!request) return;
      const viewer = { kind: "customer", customerId: CUSTOMER } as const;
      const target = { shop: SHOP, viewer, requestId: request.id };
      begin(null, async (ports) => {
        const { kind } = await savePatientDetails(ports, { ...target, details: DETAILS });
        if (kind === "invalid") throw new Error("the model's details are not modelled rightly");
      });
    },
    retry(choice: number): void {
      const request = pick(requests(), choice);
      const target = { shop: SHOP, requestId: request?.id ?? "", actor: "staff:1" as const };
      if (request) begin(null, (ports) => retryRequest(ports, target));
    },
    release(choice: number): void {
      const request = pick(requests(), choice);
      const target = { shop: SHOP, requestId: request?.id ?? "", actor: "staff:1" as const };
      if (request) begin(null, (ports) => releaseRequest(ports, target));
    },
    /** The service says that something is new about a referral. */
    event(choice: number): void {
      const uuid = pick(service.uuids(), choice);
      const target = { shop: SHOP, environment: "staging" as const, uuid: uuid ?? "" };
      if (uuid) begin(null, (ports) => refetchReferral(ports, target));
    },
    settings(change: Partial<ShopSettings>): void {
      begin(null, ({ tenancy }) =>
        tenancy.inShop(SHOP, (tenant) => tenant.shops.updateSettings(change)),
      );
    },
    uninstall(): void {
      const at = now();
      begin(null, ({ tenancy }) => tenancy.inShop(SHOP, (tenant) => tenant.shops.uninstall(at)));
    },
    install(): void {
      begin(null, (ports) => installShop(ports, { shop: SHOP, scope: "" }));
    },
    /** All who are under way get to their end, first come first served. */
    async drain(): Promise<void> {
      for (let steps = 0; await scheduler.step(0); steps++)
        if (steps > 5000) throw new Error("somebody never ends");
      if (running.length > 0) throw new Error("somebody waits for ever");
    },
    /**
     * Nothing is under way. Whoever has not come to an end is waiting for a job, a person or the shopper; a
     * silent state would be one that nobody ever looks at again.
     */
    silent(): string[] {
      if (uninstalled()) return [];
      const waitingFor = (name: Job["name"], id: string) =>
        queue().some(({ job }) => job.name === name && "requestId" in job && job.requestId === id);
      return requests().flatMap(({ id, state, reviewReason }) => {
        const isSilent =
          reviewReason === null &&
          ((state === "ready" && !waitingFor("create-referral", id)) ||
            (state === "ambiguous" && !waitingFor("resolve-ambiguous", id)));
        return isSilent ? [`a request stays ${state} in silence`] : [];
      });
    },
    /** Everything is well from now on, and time passes until nothing is left to do. */
    async settle(): Promise<void> {
      service.heal();
      world.install();
      await world.drain();
      world.settings({ strictMode: false, holdOrders: false });
      await world.drain();
      violations.push(...world.silent());
      for (let round = 0; round < 400; round++) {
        const nextAt = Math.min(silentAt(), ...queue().map(dueAt));
        if (nextAt === Number.POSITIVE_INFINITY) return;
        await world.advance(Math.max(0, nextAt - time));
        world.work(0);
        await world.drain();
      }
      const left = queue().map(({ job }) => job.name);
      throw new Error(`work never ends: ${left.join(", ")}; the latest failure: ${latestFailure}`);
    },
    /** Checks what must be true once everything is settled. */
    async verdict(): Promise<string[]> {
      const wrong = [...world.violations(), ...world.silent()];
      for (const { referenceNumber, state, reviewReason } of requests()) {
        const count = service.count(referenceNumber);
        if (count > 1) wrong.push(`${referenceNumber}: ${count} referrals`);
        if (count === 1 && state !== "created")
          wrong.push(`${referenceNumber}: exists and is ${state}`);
        if (count === 0 && state === "created")
          wrong.push(`${referenceNumber}: created from nothing`);
        if (["sending", "ready", "ambiguous"].includes(state) && !reviewReason)
          wrong.push(`${referenceNumber}: still ${state}`);
      }
      const kept = cancelledAt ? 0 : quantity;
      const wanted = requests().filter(
        ({ state, cancellation }) => state !== "cancelled" && !cancellation,
      );
      if (wanted.length !== kept) wrong.push(`${kept} units are kept, ${wanted.length} are wanted`);
      for (const { state, cancellation, reviewReason, referenceNumber } of requests())
        if (cancellation && state === "created" && !reviewReason)
          wrong.push(`${referenceNumber}: taken back after sending, and nobody is told`);
      return [...new Set(wrong)];
    },
  };

  function taskOf(job: Job): (ports: ReturnType<typeof portsOf>) => Promise<unknown> {
    return async (ports) => {
      switch (job.name) {
        case "reconcile-order":
          return reconcileOrder(ports, job);
        case "create-referral":
          return createReferral(ports, job);
        case "resolve-ambiguous":
          return resolveAmbiguous(ports, job);
        case "refetch-referral":
          return refetchReferral(ports, job);
        default:
          // Mails, pages and the like decide nothing about a referral.
          return;
      }
    };
  }

  return world;
}
export type ModelWorld = ReturnType<typeof openModelWorld>;

/** A shop with an order of two units, paid and known, whose shopper has given the details of one. */
export async function openSoldWorld(): Promise<ModelWorld> {
  const world = openModelWorld();
  world.install();
  await world.drain();
  await world.setQuantity(2);
  while (world.queue().length > 0) {
    world.work(0);
    await world.drain();
  }
  world.giveDetails(0);
  await world.drain();
  return world;
}

/** Requests that are not listed where their facts put them. */
function misplaced(rows: Rows): string[] {
  const referrals = rows.committed<StoredReferral>(`referral ${SHOP} `);
  return rows.committed<RequestRow>(`request ${SHOP} `).flatMap((request) => {
    const own = referrals.filter(({ requestId }) => requestId === request.id);
    const { stage, reason } = standingOf({ request, referrals: own, results: [] });
    return stage === request.stage && isSameReason(reason, request.reason)
      ? []
      : [`${request.referenceNumber}: listed as ${request.stage}, and is ${stage}`];
  });
}

/** Rules for every single change of a request that is committed. */
function watch(violations: string[], before: RequestRow | null, after: RequestRow): void {
  if (!before) return;
  const name = after.referenceNumber;
  if (before.state === "cancelled" && after.state !== "cancelled")
    violations.push(`${name}: cancelled, and then ${after.state}`);
  if (before.state === "created" && after.state !== "created")
    violations.push(`${name}: created, and then ${after.state}`);
  if (after.attempt < before.attempt) violations.push(`${name}: an attempt was forgotten`);
  const claimed = after.attempt > before.attempt;
  if (claimed && before.state !== "ready") violations.push(`${name}: claimed when ${before.state}`);
  if (claimed && before.cancellation)
    violations.push(`${name}: sent after the unit was taken back`);
}

export const OVERDUE_MS = CREATE_TIMEOUT_MS + REPORTING_GRACE_MS;
