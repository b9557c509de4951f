import { misplacedRequests } from "../../platform/counters.ts";
import type { ShopDomain } from "../kernel/ids.ts";
import { apply, updateStanding } from "./apply.ts";
import type { LedgerFacts } from "./ledger/facts.ts";
import { transition } from "./ledger/transitions.ts";
import type { Ports } from "./ports.ts";
import type { IdRange } from "./request-repository.ts";
import { isSameReason } from "./review-reason.ts";
import { standingOf } from "./standing.ts";
import { isAnyPartGone } from "./status.ts";
import type { Tenant } from "./tenant.ts";

/** Requests that are compared in one transaction. */
const PAGE = 200;
const DAY_MS = 24 * 3_600_000;

/**
 * Compares what is stored of where requests stand with what the rules say (standing.ts, and the order's payment and kind).
 * No rule stands in the database, so that a writer who forgets `apply` would leave a request in a wrong list. What
 * differs is put right, counted and logged by id. Returns how many differed. A part that an earlier version saw deleted, and
 * told nobody of, is told here: that is no fault of a writer, and not counted.
 */
export async function checkStanding(
  { tenancy, logger, clock }: Pick<Ports, "tenancy" | "logger" | "clock">,
  shop: ShopDomain,
  { from, until }: IdRange = ALL,
): Promise<number> {
  let misplaced = 0;
  for (let at: string | null = from; at !== null; ) {
    const page: CheckedPage = await tenancy.inShop(shop, (tenant) =>
      checkPage(tenant, { from: at as string, until }, clock.now()),
    );
    for (const requestId of page.misplaced) {
      misplacedRequests.add({});
      logger.error(
        { shop, requestId, code: "misplaced_request" },
        "a request stood in a wrong list",
      );
    }
    misplaced += page.misplaced.length;
    at = page.next;
  }
  return misplaced;
}

interface CheckedPage {
  misplaced: string[];
  next: string | null;
}

async function checkPage(tenant: Tenant, range: IdRange, now: Date): Promise<CheckedPage> {
  const requests = await tenant.requests.inRange(range, PAGE);
  const ids = requests.map(({ id }) => id);
  const referrals = Map.groupBy(await tenant.referrals.forRequests(ids), (one) => one.requestId);
  const results = Map.groupBy(await tenant.results.forRequests(ids), (one) => one.requestId);
  const misplaced = new Set(await tenant.requests.followOrders(ids));
  for (const request of requests) {
    const { id, stage, reason, handledReason } = request;
    const held = { referrals: referrals.get(id) ?? [], results: results.get(id) ?? [] };
    const is = standingOf({ request, ...held });
    const isRight =
      is.stage === stage &&
      isSameReason(is.reason, reason) &&
      isSameReason(is.handledReason, handledReason);
    // Somebody may have been writing it: what counts is what it is once it is locked.
    if (!isRight && (await updateStanding(tenant, id))) misplaced.add(id);
    // Nobody is told anything of a test whose data was erased.
    const isTold = !request.hasPatient || !isAnyPartGone(held.referrals);
    if (!isTold && isUntold({ ...request, ...held }))
      await apply(tenant, id, READ, { actor: "pathway", at: now });
  }
  return { misplaced: [...misplaced], next: requests.length < PAGE ? null : after(ids.at(-1)) };
}

const READ = { kind: "referrals_read" } as const;

/** Whether the ledger would say something else of its referrals than it said when they were read. */
const isUntold = (facts: LedgerFacts): boolean => typeof transition(facts, READ) !== "string";

const ALL: IdRange = { from: uuidAt(0), until: null };

/**
 * Ids are random, so that a part of the day stands for a part of them: whoever compares what belongs to the time since
 * the last look has compared everything within a day.
 */
export function rangesSince(now: Date, intervalMs: number): IdRange[] {
  if (intervalMs >= DAY_MS) return [ALL];
  const end = (now.getTime() % DAY_MS) / DAY_MS;
  const start = end - intervalMs / DAY_MS;
  if (start >= 0) return [{ from: uuidAt(start), until: uuidAt(end) }];
  return [
    { from: uuidAt(start + 1), until: null },
    { from: uuidAt(0), until: uuidAt(end) },
  ];
}

/** The id at a fraction of all ids. */
function uuidAt(fraction: number): string {
  const first = Math.floor(fraction * 2 ** 32)
    .toString(16)
    .padStart(8, "0");
  return `${first}-0000-0000-0000-000000000000`;
}

/** The id that follows. */
function after(id = uuidAt(0)): string {
  const next = (BigInt(`0x${id.replaceAll("-", "")}`) + 1n).toString(16).padStart(32, "0");
  return next.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
