import { randomUUID } from "node:crypto";
import { hashSecret, newSecret } from "../kernel/secret.ts";
import { findOwned } from "./find-owned.ts";
import { accessOf, LinkRefused } from "./link-access.ts";
import { logAccess } from "./log-access.ts";
import type { Ports } from "./ports.ts";
import {
  hasShareEnded,
  MAX_SHARES,
  type ResultShare,
  SHARE_DAYS,
  type ShareSecret,
} from "./share.ts";
import { sharedResult } from "./shared-result.ts";
import type { Tenant } from "./tenant.ts";
import { isOwner, requestsOf, type ViewerScope } from "./viewer.ts";

type SharePorts = Pick<Ports, "tenancy" | "clock">;

/** A share as its owner sees it. */
export interface OwnShare extends ShareSecret {
  id: string;
  resultId: string;
  expiresAt: Date;
  /** Each look with the passcode, newest first. */
  opens: { at: Date }[];
}

export type ShareOutcome =
  | { kind: "shared"; share: OwnShare }
  /** A share of this id was made of the result: its button was pressed twice. */
  | { kind: "made_before" }
  | { kind: "not_found" }
  /** The days are no whole number between 1 and 90. */
  | { kind: "invalid" }
  | { kind: "too_many" };

/** So many looks are told. */
const MAX_OPENS = 500;

/**
 * Makes a link with a passcode to one released result, for the owner to give to a doctor; with an `id` of the caller's, once.
 * Throws `LinkRefused` when the viewer's link does not open the result.
 */
export async function shareResult(
  { tenancy, clock }: SharePorts,
  {
    shop,
    viewer,
    resultId,
    days = SHARE_DAYS.usual,
    id = randomUUID(),
  }: ViewerScope & { resultId: string; days?: number; id?: string },
): Promise<ShareOutcome> {
  return tenancy.inShop(shop, async (tenant) => {
    const stored = await tenant.results.find(resultId);
    if (!stored?.releasedAt) return { kind: "not_found" };
    const { requestId, releasedAt } = stored;
    const owned = await findOwned(tenant, { viewer, requestId, opening: "results" });
    // Nobody else ends or erases it meanwhile.
    const request = owned && (await tenant.requests.findForUpdate(requestId));
    if (!request || request.state === "cancelled" || request.resultsHiddenAt)
      return { kind: "not_found" };
    const known = await tenant.shares.find(id);
    if (known) return { kind: known.resultId === resultId ? "made_before" : "not_found" };
    if (!Number.isInteger(days) || days < 1 || days > SHARE_DAYS.max) return { kind: "invalid" };
    const now = clock.now();
    const others = await tenant.shares.forRequests([requestId]);
    const live = others.filter((one) => one.resultId === resultId && !hasShareEnded(one, now));
    if (live.length >= MAX_SHARES) return { kind: "too_many" };
    const secret = { token: newSecret("share_link"), passcode: newSecret("share_passcode") };
    const { owner, customerId } = request;
    const expiresAt = new Date(now.getTime() + days * 86_400_000);
    const about = { id, requestId, resultId, owner, customerId, releasedAt };
    const tokenHash = hashSecret(secret.token);
    await tenant.shares.create({ ...about, expiresAt, createdAt: now, tokenHash }, secret);
    await logAccess(tenant, viewer, { what: "share_created", requestId, subjectId: id, at: now });
    return { kind: "shared", share: { id, resultId, ...secret, expiresAt, opens: [] } };
  });
}

/**
 * The shares of this customer or patient that open something, newest first. Those of results that the viewer's link does
 * not open are left out. Throws `LinkRefused` before the mailed code was shown.
 */
export async function listShares(
  { tenancy, clock }: SharePorts,
  { shop, viewer, resultId }: ViewerScope & { resultId?: string },
): Promise<OwnShare[]> {
  return tenancy.inShop(shop, async (tenant) => {
    const held = (await requestsOf(tenant, viewer)).filter((one) => isOwner(one, viewer));
    const access = held.map((one) => accessOf(viewer, one, "results"));
    const open = held.filter((_, index) => access[index] === "granted");
    if (open.length === 0 && access.includes("step_up_required"))
      throw new LinkRefused("step_up_required");
    const own: OwnShare[] = [];
    for (const share of await tenant.shares.forRequests(open.map(({ id }) => id))) {
      if (resultId !== undefined && share.resultId !== resultId) continue;
      const isLive = !hasShareEnded(share, clock.now()) && (await sharedResult(tenant, share));
      const secret = isLive ? await tenant.shares.secretOf(share.id) : null;
      if (!secret) continue;
      const { id, expiresAt } = share;
      const opens = await opensOf(tenant, share);
      own.push({ id, resultId: share.resultId, ...secret, expiresAt, opens });
    }
    return own;
  });
}

/** Ends a share at once. False when it is not this viewer's, or has ended. */
export async function endShare(
  { tenancy, clock }: SharePorts,
  { shop, viewer, shareId }: ViewerScope & { shareId: string },
): Promise<boolean> {
  return tenancy.inShop(shop, async (tenant) => {
    const share = await tenant.shares.find(shareId);
    const now = clock.now();
    if (!share || hasShareEnded(share, now)) return false;
    const { requestId } = share;
    if (!(await findOwned(tenant, { viewer, requestId, opening: "results" }))) return false;
    await tenant.shares.revoke(shareId, now);
    const entry = { what: "share_ended", requestId, subjectId: shareId, at: now } as const;
    await logAccess(tenant, viewer, entry);
    return true;
  });
}

async function opensOf(tenant: Tenant, { id, requestId }: ResultShare): Promise<{ at: Date }[]> {
  const entries = await tenant.accessLog.forRequests([requestId], MAX_OPENS);
  return entries
    .filter(({ what, subjectId }) => what === "share_opened" && subjectId === id)
    .map(({ at }) => ({ at }));
}
