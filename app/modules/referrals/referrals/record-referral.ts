import { together } from "../../../platform/together.ts";
import { queueUnsentMails } from "../../kernel/queue-mail.ts";
import type { Patient } from "../../patients/patient.ts";
import type { Environment } from "../../shops/connection.ts";
import { apply } from "../apply.ts";
import { isCurrent, livesAgain } from "../referral-repository.ts";
import type { ReferralRequest } from "../request.ts";
import { cancelLate } from "../requests/cancel-late.ts";
import { linkReferrals } from "../requests/link-referrals.ts";
import { recordWhose } from "../requests/record-whose.ts";
import type { ReferralSnapshot } from "../snapshots.ts";
import { announceReferral, newsOfStatus } from "../state-news.ts";
import { isBeingRemade, isFailed, isFormHeldBack } from "../status.ts";
import type { Tenant } from "../tenant.ts";
import { linkReplacement } from "./link-replacement.ts";
import { recordTests } from "./record-tests.ts";
import { saveReferral } from "./save-referral.ts";

/**
 * States in which an event can be all that is left of a create call, even of one that is about to be made
 * again, or that a restored database has forgotten.
 */
const OPEN = ["awaiting_details", "ready", "held", "ambiguous", "rejected"];

/** Events of the result come with the referral's own: all that come meanwhile share one look. */
const REST_MS = 1_000;

/** Overwrites what is stored of one referral with a fresh snapshot, and draws the consequences. */
export async function recordReferral(
  tenant: Tenant,
  request: ReferralRequest,
  snapshot: ReferralSnapshot,
  { askedAt, now, corrected }: { askedAt: Date; now: Date; corrected?: Patient },
): Promise<void> {
  const { environment, id: requestId, orderId } = request;
  const { uuid, status, resultsUuid } = snapshot;
  const [before, correction, shop] = await together(
    () => tenant.referrals.find(uuid),
    () => tenant.corrections.pending(requestId),
    // A form may be told to the store.
    async () => (status === "ISSUED" ? tenant.shops.find() : undefined),
  );
  if (OPEN.includes(request.state)) await linkReferrals(tenant, request, [snapshot], now);
  const known = OPEN.includes(request.state) ? undefined : before;
  const saved = await saveReferral(tenant, request, snapshot, askedAt, { known, shop, corrected });
  if (saved.outcome === "stale") await lookAtNewResult(tenant, environment, snapshot);
  if (saved.outcome !== "stored") return;
  if (!before) await tenant.restores.forget(environment, uuid);
  const entry = { actor: "service", at: now, orderId, requestId } as const;
  const isLinked =
    request.state === "created" &&
    (!before || isFailed(snapshot)) &&
    (await linkReplacement(tenant, request, { uuid, isNew: !before, now }));
  if (before?.status !== status)
    await tenant.timeline.add({
      ...entry,
      kind: "referral_status",
      detail: { uuid, from: before?.status ?? null, to: status },
    });
  const isBack = livesAgain(before, { deletedAt: snapshot.deletedAt, askedAt });
  const news = newsOfStatus(status);
  const told = { requestId, uuid, now };
  if (before?.status !== status && news !== null) await announceReferral(tenant, news, told);
  const wasOff = before !== null && newsOfStatus(before.status) !== null;
  if (news === null && (isBack || (wasOff && before.deletedAt === null)))
    await announceReferral(tenant, "form_back", told);
  const isGone = snapshot.deletedAt !== null && before?.deletedAt === null;
  if (isGone) {
    await tenant.documents.revoke(requestId, now);
    const others = await tenant.referrals.forRequests([requestId]);
    await announceReferral(tenant, others.some(isCurrent) ? "form_gone" : "deleted", told);
  }
  if (before?.status !== status || isGone || isBack || isLinked) {
    const { referrals } = saved;
    const held =
      referrals && !isLinked
        ? { referrals, results: await tenant.results.forRequests([requestId]) }
        : undefined;
    await apply(tenant, requestId, { kind: "referrals_read" }, entry, held);
  }
  const { otherPerson } = saved;
  if (otherPerson || before?.otherPerson)
    await recordWhose(tenant, request, { uuid, is: otherPerson, was: before?.otherPerson, now });
  await recordTests(tenant, request, snapshot, now);
  // Its form is of use again: mails about it that were held back go out.
  const wasOfNoUse = before !== null && (isFormHeldBack(before) || isBeingRemade(before));
  if (wasOfNoUse && !isFormHeldBack({ status, otherPerson }) && !isBeingRemade({ status }))
    await queueUnsentMails(tenant, [requestId]);
  // An answer from before its deletion is none: its unit is cancelled once.
  const isLive = snapshot.deletedAt === null && (!before?.deletedAt || isBack);
  if (request.state === "cancelled" && isLive) await cancelLate(tenant, request, now);
  // A correction may have waited for a form to be made (interface §3: CREATED or ISSUED only).
  if (correction)
    await tenant.jobs.enqueue({ name: "correct-referrals", shop: tenant.shop, requestId });
  if (resultsUuid)
    await tenant.jobs.enqueue(
      { name: "refetch-result", shop: tenant.shop, environment, uuid: resultsUuid },
      { notBefore: new Date(now.getTime() + REST_MS) },
    );
}

/**
 * A machine of the service that is behind knows of no result that nobody has read here yet. An older date beside one is the
 * service's clock, which was set back: the reading may not overwrite anything, and the result is looked at all the same.
 */
async function lookAtNewResult(
  tenant: Tenant,
  environment: Environment,
  { resultsUuid: uuid }: ReferralSnapshot,
): Promise<void> {
  if (!uuid || (await tenant.results.find(uuid))) return;
  await tenant.jobs.enqueue({ name: "refetch-result", shop: tenant.shop, environment, uuid });
}
