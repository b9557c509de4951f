import type { ShopDomain } from "../kernel/ids.ts";
import type { Actor } from "../kernel/timeline.ts";
import { type NotAllowed, refuseUnlessAllowed } from "../shops/may-do.ts";
import { heldByService } from "./apply.ts";
import { heldVersion } from "./held-version.ts";
import type { Ports } from "./ports.ts";
import { isPatientContacted } from "./record-contact.ts";
import type { ReleaseRecord, StoredResult } from "./referral-repository.ts";
import { isHeld } from "./referral-repository.ts";
import type { ReferralRequest } from "./request.ts";
import { alertOf, type ResultAlert } from "./result-alert.ts";
import { hasUrgentHold, recordResultReasons } from "./results/record-result-reasons.ts";
import { resultsMail } from "./results/results-mail.ts";
import { sensitivityOf } from "./results/sensitive-tests.ts";
import { announceState } from "./state-news.ts";
import type { Tenant } from "./tenant.ts";

export type ReleaseResultOutcome =
  /** `isHidden`: its patient has hidden the results, and they stay so. */
  | { kind: "released"; results: number; isHidden?: true }
  /** A sensitive test is among them, and nobody has told the patient yet. */
  | { kind: "contact_needed" }
  | { kind: "nothing_held" }
  /** Others are held than the reviewer was shown, or other figures: nobody has read those. */
  | { kind: "changed_meanwhile" }
  | NotAllowed;

/**
 * Shows a request's held results to their patient because a person decides so, and tells the patient that
 * there is something new. The typed name and comment are sealed; the timeline has the member of staff and the time. A
 * result that the service still reviews stays hidden.
 */
export async function releaseResults(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  {
    shop,
    requestId,
    actor,
    record,
    seen = null,
  }: {
    shop: ShopDomain;
    requestId: string;
    actor: Actor;
    record: ReleaseRecord;
    /** The `heldVersion` of the page on which the reviewer decided; null: whatever is held is released. */
    seen?: string | null;
  },
): Promise<ReleaseResultOutcome> {
  return tenancy.inShop(shop, async (tenant) => {
    // The lock orders this before or after another reading of the result.
    const request = await tenant.requests.findForUpdate(requestId);
    if (!request || request.state === "cancelled") return { kind: "nothing_held" };
    const place = { at: clock.now(), requestId };
    const refused = await refuseUnlessAllowed(tenant, actor, "release_results", place);
    if (refused) return refused;
    const held = heldVersion(await tenant.results.forRequests([requestId]));
    if (held === "") return { kind: "nothing_held" };
    if (seen !== null && seen !== held) return { kind: "changed_meanwhile" };
    const isTold = record.contacted || (await isPatientContacted(tenant, request));
    if (!isTold && (await hasSensitiveHold(tenant, request))) return { kind: "contact_needed" };
    const now = clock.now();
    const { orderId } = request;
    const isHidden = request.resultsHiddenAt !== null;
    // Nobody could read what is hidden: its patient is rung all the same.
    const isShownNow = isHidden && (await hasUrgentHold(tenant, request));
    const results = await release(tenant, request, { actor, now });
    if (results.length === 0) return { kind: "nothing_held" };
    for (const { uuid } of results) await tenant.results.recordRelease(uuid, record);
    const deed = { at: now, who: "staff", actor, what: "results_released", requestId } as const;
    await tenant.accessLog.add(...results.map(({ uuid }) => ({ ...deed, subjectId: uuid })));
    if (record.contacted)
      await tenant.timeline.add({
        kind: "patient_contacted",
        actor,
        at: now,
        orderId,
        requestId,
      });
    await recordResultReasons(tenant, request, { isShownNow, now });
    return { kind: "released", results: results.length, ...(isHidden && { isHidden }) };
  });
}

/** Whether results wait that no deadline and no click releases before the patient was told. */
async function hasSensitiveHold(
  tenant: Tenant,
  { id, title }: Pick<ReferralRequest, "id" | "title">,
): Promise<boolean> {
  const results = await tenant.results.forRequests([id]);
  for (const { uuid } of results.filter(isHeld)) {
    const snapshot = await tenant.results.snapshotOf(uuid);
    if (snapshot && sensitivityOf(snapshot, title)) return true;
  }
  return false;
}

/** Shows the held results of a locked request, or the one that is named, to their patient, with one mail. */
export async function release(
  tenant: Tenant,
  request: ReferralRequest,
  { actor, why, now, uuid: only }: { actor: Actor; why?: "deadline"; now: Date; uuid?: string },
): Promise<{ uuid: string; partial: boolean }[]> {
  const { id: requestId, orderId } = request;
  const released = await tenant.results.release(requestId, now, only);
  for (const { uuid } of released)
    await tenant.timeline.add({
      kind: "result_released",
      actor,
      at: now,
      orderId,
      requestId,
      detail: why ? { uuid, why } : { uuid },
    });
  await announceOnce(tenant, request, { released, now });
  return released;
}

/**
 * One mail for all complete or critical results that one decision released. Other news is of a partial result, whose patient
 * was promised an email, and of one that was corrected since they could see it.
 */
async function announceOnce(
  tenant: Tenant,
  request: ReferralRequest,
  { released, now }: { released: { uuid: string; partial: boolean }[]; now: Date },
): Promise<void> {
  let isTold = false;
  const held = await heldByService(tenant, request.id);
  const read: { result: StoredResult; partial: boolean; alert: ResultAlert | null }[] = [];
  for (const { uuid, partial } of released) {
    const result = await tenant.results.find(uuid);
    const snapshot = await tenant.results.snapshotOf(uuid);
    if (result && snapshot) read.push({ result, partial, alert: alertOf(snapshot) });
  }
  // Where one can't wait, the mail that is sent asks to open all of them today.
  const urgentFirst = read.toSorted((a, b) => Number(isCritical(b)) - Number(isCritical(a)));
  for (const { result, partial, alert } of urgentFirst) {
    if (!isCritical({ alert }) && (partial || result.correctedAt)) {
      const news = result.correctedAt ? "new_figures" : "partial";
      const occurrence = `${result.uuid} released ${now.toISOString()}`;
      await announceState(tenant, { requestId: request.id, news, occurrence }, now);
    }
    if (partial && !isCritical({ alert })) continue;
    const due = resultsMail({ request, ...held }, result, alert);
    if (!(await tenant.notifications.note(due, now))) continue;
    if (isTold) await tenant.notifications.markSent(due, now);
    else await tenant.jobs.enqueue({ name: "send-mail", shop: tenant.shop, ...due });
    isTold = true;
  }
}

const isCritical = ({ alert }: { alert: ResultAlert | null }) => alert?.level === "critical";
