import { TIME_ZONE } from "../../platform/calendar-day.ts";
import { type ArrangedResult, arrange } from "../access/open-result.ts";
import { type EarlierResult, valuesOf } from "../access/result-history.ts";
import type { OrderId, ShopDomain } from "../kernel/ids.ts";
import type { Actor } from "../kernel/timeline.ts";
import { heldVersion } from "../referrals/held-version.ts";
import { isHeld, type ReleaseRecord } from "../referrals/referral-repository.ts";
import type { ReferralRequest } from "../referrals/request.ts";
import { type NotAllowed, refuseUnlessAllowed } from "../shops/may-do.ts";
import { earlierBeside, resultsForStaff } from "./earlier-tests.ts";
import { reportsForStaff } from "./open-staff-report.ts";
import type { Ports } from "./ports.ts";
import type { Tenant } from "./tenant.ts";

/** An earlier test of the same patient, with the date of its newest result. */
export interface EarlierTest {
  requestId: string;
  orderId: OrderId;
  orderName: string;
  title: string;
  /** ISO 8601. */
  date: string;
}

export type StaffViewResults =
  | { kind: "not_found" }
  | NotAllowed
  /** Their patient has hidden them, so that nobody reads them; some wait for a release all the same. */
  | { kind: "withdrawn"; orderName: string; held: number; version: string }
  /** There are results; whoever wants to see them has to say why. */
  | { kind: "hidden"; orderName: string; held: number; version: string }
  | {
      kind: "shown";
      orderName: string;
      /** How many of them wait for a release. */
      held: number;
      /** Which ones these are (`heldVersion`): a release names what its reviewer was shown. */
      version: string;
      until: Date;
      results: {
        isReleased: boolean;
        release: ReleaseRecord | null;
        /** The laboratory's report, once it is here. */
        reportId: string | null;
        view: ArrangedResult;
      }[];
      earlier: {
        /** How many earlier tests of the patient there are that this person has not asked to see. */
        hidden: number;
        /** Those that they look at, newest first. */
        shown: EarlierTest[];
      };
    };

/**
 * The results of one request, for the member of staff who has an open look at them and nobody else. Earlier values of the
 * patient stand beside them as far as this person has an open look at the earlier test. Each result that is shown, the
 * earlier ones included, is a line of the access log.
 */
export async function readStaffView(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  target: { shop: ShopDomain; orderId: OrderId; requestId: string; actor: Actor },
): Promise<StaffViewResults> {
  const { shop, orderId, requestId, actor } = target;
  return tenancy.inShop(shop, async (tenant) => {
    const request = await tenant.requests.find(requestId);
    const at = clock.now();
    if (request?.orderId === orderId && request.resultsHiddenAt)
      return readWithdrawn(tenant, request, { actor, at });
    const stored = request ? await resultsForStaff(tenant, request) : [];
    if (request?.orderId !== orderId || stored.length === 0) return { kind: "not_found" };
    const refused = await refuseUnlessAllowed(tenant, actor, "see_results", { at, requestId });
    if (refused) return refused;
    const orderName = (await tenant.orders.namesOf([orderId])).get(orderId) ?? "";
    const look = await tenant.staffAccess.open(requestId, actor, at);
    const held = stored.filter(isHeld).length;
    const version = heldVersion(stored);
    if (!look) return { kind: "hidden", orderName, held, version };
    const results = [];
    const reports = await reportsForStaff(tenant, request);
    const timeZone = (await tenant.shops.find())?.timeZone ?? TIME_ZONE;
    const seen = { at, who: "staff", actor, what: "result_viewed" } as const;
    const all = new Map<string, EarlierResult>();
    const isOpen = openLooks(tenant, { actor, at });
    for (const { uuid, partial, releasedAt, correctedAt } of stored) {
      const snapshot = await tenant.results.snapshotOf(uuid);
      if (!snapshot) continue;
      await tenant.accessLog.add({ ...seen, requestId, subjectId: uuid });
      const opened = [];
      for (const one of await earlierBeside(tenant, request, { snapshot, timeZone })) {
        if (one.requestId !== requestId) all.set(one.resultId, one);
        if (await isOpen(one.requestId)) opened.push(one);
      }
      const history = valuesOf(opened);
      const { title } = request;
      const view = arrange(snapshot, { title, partial, correctedAt, history, timeZone });
      const release = await tenant.results.releaseOf(uuid);
      const reportId = reports.find(({ sourceUuid }) => sourceUuid === uuid)?.id ?? null;
      results.push({ isReleased: releasedAt !== null, release, reportId, view });
    }
    const hidden = new Set<string>();
    const dates = new Map<string, string>();
    for (const one of all.values()) {
      if (!(await isOpen(one.requestId))) {
        hidden.add(one.requestId);
        continue;
      }
      const entry = { ...seen, requestId: one.requestId, subjectId: one.resultId };
      await tenant.accessLog.add({ ...entry, detail: { beside: requestId } });
      const known = dates.get(one.requestId);
      if (!known || Date.parse(one.date) > Date.parse(known)) dates.set(one.requestId, one.date);
    }
    const earlier = { hidden: hidden.size, shown: await describe(tenant, dates) };
    return { kind: "shown", orderName, held, version, until: look.until, results, earlier };
  });
}

/** How many results wait for a release of which nothing is shown (docs/decisions/0056). */
async function readWithdrawn(
  tenant: Tenant,
  { id: requestId, orderId, state }: ReferralRequest,
  { actor, at }: { actor: Actor; at: Date },
): Promise<StaffViewResults> {
  const stored = await tenant.results.forRequests([requestId]);
  const held = stored.filter(isHeld).length;
  if (state === "cancelled" || held === 0) return { kind: "not_found" };
  const refused = await refuseUnlessAllowed(tenant, actor, "release_results", { at, requestId });
  if (refused) return refused;
  const orderName = (await tenant.orders.namesOf([orderId])).get(orderId) ?? "";
  return { kind: "withdrawn", orderName, held, version: heldVersion(stored) };
}

/** Answers whether this person has an open look at a request, and asks the database once for each. */
function openLooks(tenant: Tenant, { actor, at }: { actor: Actor; at: Date }) {
  const known = new Map<string, boolean>();
  return async (requestId: string): Promise<boolean> => {
    const answer =
      known.get(requestId) ?? (await tenant.staffAccess.open(requestId, actor, at)) !== null;
    known.set(requestId, answer);
    return answer;
  };
}

/** The tests behind these requests, the one with the newest result first. */
async function describe(tenant: Tenant, dates: Map<string, string>): Promise<EarlierTest[]> {
  const requests = await tenant.requests.some([...dates.keys()]);
  const names = await tenant.orders.namesOf(requests.map(({ orderId }) => orderId));
  return requests
    .map(({ id, orderId, title }) => ({
      ...{ requestId: id, orderId, title, orderName: names.get(orderId) ?? "" },
      date: dates.get(id) ?? "",
    }))
    .sort((a, b) => Date.parse(b.date) - Date.parse(a.date));
}
