import { z } from "zod";
import type { ShopDomain } from "../kernel/ids.ts";
import type { FieldError } from "../patients/patient-details.ts";
import { apply, updateStanding } from "../referrals/apply.ts";
import { recallOwner } from "../referrals/recall-owner.ts";
import { isUnsent, type ReferralRequest } from "../referrals/request.ts";
import { watchReturned } from "../referrals/schedule-reminders.ts";
import { mayInvite } from "./invitation-rules.ts";
import { requireAccess } from "./link-access.ts";
import type { Ports } from "./ports.ts";
import type { Tenant } from "./tenant.ts";
import { isBuyer, type Viewer } from "./viewer.ts";

export type InviteOutcome =
  | { kind: "handed_over"; requestId: string }
  | { kind: "invalid"; errors: FieldError[] }
  /** No such request of this buyer. */
  | { kind: "not_found" }
  /** Its referral has been ordered, or its patient has come already. */
  | { kind: "too_late" }
  /** So many mails about one unit would be a nuisance. */
  | { kind: "too_often" };

export type RevokeOutcome =
  | { kind: "taken_back"; requestId: string }
  | { kind: "not_found" }
  | { kind: "too_late" };

const MAX_MAILS_IN_A_DAY = 5;
const DAY_MS = 24 * 3_600_000;

const emailSchema = z.string().trim().max(254).pipe(z.email());

/**
 * Hands a unit to its patient, who gets a mail with a link of their own and from then on alone gives the
 * details and sees form and results. What the buyer typed of a patient is forgotten. Done again before the
 * patient came, it goes to the new address and the former link ends. A former link to the same address is replaced as any
 * older one, by the mail with the newer: whoever finds the former mail first is told of the newer. While the buyer may give her
 * another test of the order, the mail waits for the window of news, so that it has the test's number (docs/decisions/0191).
 */
export async function invitePatient(
  { tenancy, clock, waits }: Pick<Ports, "tenancy" | "clock" | "waits">,
  input: { shop: ShopDomain; viewer: Viewer; requestId: string; email: unknown },
): Promise<InviteOutcome> {
  const { shop, viewer, requestId } = input;
  return tenancy.inShop(shop, async (tenant) => {
    // A sender, and the patient who opens an earlier link, come before this or after it.
    const now = clock.now();
    const found = await tenant.requests.findForUpdate(requestId);
    const recall = found && (await recallOwner(tenant, found, { now }));
    const request = recall === "recalled" ? await tenant.requests.find(requestId) : found;
    const settings = await tenant.shops.find();
    if (!request || !isBuyer(request, viewer) || !settings?.installed) return { kind: "not_found" };
    requireAccess(viewer, request, "details");
    const email = emailSchema.safeParse(input.email).data;
    if (!email) return { kind: "invalid", errors: [EMAIL_FAULT] };
    // After a restore its patient may turn out to have come.
    if (!mayInvite(request) || recall === "awaited") return { kind: "too_late" };
    const mails = await tenant.notifications.countSince(
      requestId,
      new Date(now.getTime() - DAY_MS),
    );
    if (mails >= MAX_MAILS_IN_A_DAY) return { kind: "too_often" };
    const by = { actor: "shopper", at: now } as const;
    const isAnother = !(await isInvitedAt(tenant, request, email));
    if (!(await apply(tenant, requestId, { kind: "handed_over" }, by))) return { kind: "too_late" };
    await tenant.requests.recordInvitation(requestId, email, now);
    await updateStanding(tenant, requestId);
    if (isAnother) await tenant.links.revokeInvitations(await generationsOf(tenant, request), now);
    const { orderId } = request;
    await tenant.timeline.add({
      kind: "unit_handed_over",
      actor: "shopper",
      at: now,
      orderId,
      requestId,
    });
    const due = { requestId, kind: "unit_for_you", occurrence: String(now.getTime()) } as const;
    await tenant.notifications.note(due, now);
    const isLast = !(await tenant.requests.forOrder(orderId)).some(
      (one) => one.id !== requestId && one.owner === "buyer" && mayInvite(one),
    );
    const startAfter = new Date(now.getTime() + (isLast ? 0 : waits.mailWindowMs));
    await tenant.jobs.enqueue({ name: "send-mail", shop, ...due }, isLast ? {} : { startAfter });
    return { kind: "handed_over", requestId };
  });
}

/**
 * Gives a unit back to its buyer as long as its patient has not opened the link, which then ends. The buyer's reminders
 * go on; should they be over, the merchant is told of a unit that stays without details.
 */
export async function revokeInvitation(
  { tenancy, clock, waits }: Pick<Ports, "tenancy" | "clock" | "waits">,
  { shop, viewer, requestId }: { shop: ShopDomain; viewer: Viewer; requestId: string },
): Promise<RevokeOutcome> {
  return tenancy.inShop(shop, async (tenant) => {
    const request = await tenant.requests.find(requestId);
    if (!request || !isBuyer(request, viewer) || request.owner === "buyer")
      return { kind: "not_found" };
    requireAccess(viewer, request, "details");
    const now = clock.now();
    // A referral may turn up, after a restore, of a patient who has not come here.
    if (!isUnsent(request) || !(await tenant.requests.revokeInvitation(requestId, now)))
      return { kind: "too_late" };
    await updateStanding(tenant, requestId);
    await tenant.links.revokeInvitations(await generationsOf(tenant, request), now);
    const { orderId } = request;
    await tenant.timeline.add({
      kind: "unit_taken_back",
      actor: "shopper",
      at: now,
      orderId,
      requestId,
    });
    await watchReturned(tenant, request, { at: now, dayMs: waits.reminderDayMs });
    return { kind: "taken_back", requestId };
  });
}

/** Whether the unit is with its patient at this very address already. */
async function isInvitedAt(
  tenant: Tenant,
  { id, owner }: ReferralRequest,
  email: string,
): Promise<boolean> {
  const present = owner === "patient" ? await tenant.requests.invitedEmailOf(id) : null;
  const { recipientOf } = tenant.links;
  return present !== null && recipientOf(present).equals(recipientOf(email));
}

/** Every request of the unit. A link is for the unit: one that was mailed for a former generation opens the next one too. */
async function generationsOf(
  tenant: Tenant,
  { orderId, lineItemId, unit }: ReferralRequest,
): Promise<string[]> {
  const order = await tenant.requests.forOrder(orderId);
  return order
    .filter((one) => one.lineItemId === lineItemId && one.unit === unit)
    .map(({ id }) => id);
}

const EMAIL_FAULT: FieldError = {
  field: "email",
  message: "Enter an email address such as sam@example.com.",
};
