import type { Shop } from "../shops/shop.ts";
import { nextEscalation } from "./escalate-hold.ts";
import { isHeld, type StoredResult } from "./referral-repository.ts";
import type { ReferralRequest } from "./request.ts";
import { sensitivityOf } from "./results/sensitive-tests.ts";
import type { Tenant } from "./tenant.ts";
import { isUrgent } from "./urgency.ts";

/** A test with results that a person is to release. */
interface HeldTest {
  request: ReferralRequest;
  /** Those that are held. */
  results: StoredResult[];
  isUrgent: boolean;
  isSensitive: boolean;
}

/** The steps of a hold: those taken, and the next one. */
export interface HoldSteps {
  /** Null with one that an earlier version held. */
  heldAt: Date | null;
  /** How often the reviewer was alerted. */
  alerts: number;
  /** The next step if nobody does anything. */
  next: { at: Date; kind: "alert" | "release" } | null;
}

/**
 * The tests of at most so many held results, the longest held: critical ones first, then by how long they wait. Results that
 * their patient has hidden wait for nobody.
 */
export async function heldTests(tenant: Tenant, limit: number): Promise<HeldTest[]> {
  const results = (await tenant.results.held(limit)).filter(isHeld);
  const byRequest = Map.groupBy(results, ({ requestId }) => requestId);
  const held: HeldTest[] = [];
  for (const request of await tenant.requests.some([...byRequest.keys()])) {
    if (request.state !== "created" || request.resultsHiddenAt) continue;
    const own = byRequest.get(request.id) ?? [];
    const one: HeldTest = { request, results: own, isUrgent: false, isSensitive: false };
    for (const { uuid } of own) {
      const snapshot = await tenant.results.snapshotUnlessErased(uuid);
      if (!snapshot) continue;
      one.isUrgent ||= isUrgent(snapshot);
      one.isSensitive ||= sensitivityOf(snapshot, request.title) !== null;
    }
    held.push(one);
  }
  return held.toSorted(
    (a, b) => Number(b.isUrgent) - Number(a.isUrgent) || waitingSince(a) - waitingSince(b),
  );
}

const waitingSince = ({ results }: HeldTest) =>
  Math.min(...results.map(({ heldAt, fetchedAt }) => (heldAt ?? fetchedAt).getTime()));

/** The steps of the result that is next. */
export function holdStepsOf(
  { results, isUrgent: urgent, isSensitive: sensitive }: HeldTest,
  { settings, hourMs }: { settings: Pick<Shop, "releaseAfterHours"> | null; hourMs: number },
): HoldSteps {
  const next = results
    .flatMap(
      (one) => (settings && nextEscalation(one, { urgent, sensitive, settings, hourMs })) ?? [],
    )
    .toSorted((a, b) => a.at.getTime() - b.at.getTime());
  const times = results.flatMap(({ heldAt }) => heldAt?.getTime() ?? []);
  return {
    heldAt: times.length > 0 ? new Date(Math.min(...times)) : null,
    alerts: Math.max(...results.map(({ holdAlerts }) => holdAlerts)),
    next: next[0] ?? null,
  };
}
