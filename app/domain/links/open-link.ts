import type { Viewer } from "../account/viewer.ts";
import type { ShopDomain } from "../ids.ts";
import type { Ports } from "../ports.ts";
import type { Tenant } from "../tenant.ts";
import { hashOf, newSecret, type PatientLink, stopsOf, VISIT_MS } from "./link.ts";

type LinkPorts = Pick<Ports, "tenancy" | "clock">;

export interface Visit {
  linkId: string;
  /** The secret of this visit; for the visitor's browser alone. */
  secret: string;
  expiresAt: Date;
}

/** Whether a link would let somebody in now. Looking does not use it up: mail scanners look too. */
export async function canOpenLink(
  { tenancy, clock }: LinkPorts,
  { shop, token }: { shop: ShopDomain; token: string },
): Promise<boolean> {
  const canOpen = await tenancy.inKnownShop(shop, async (tenant) => {
    const link = await tenant.links.findByToken(hashOf(token));
    if (!link || stopsOf(link.kind) || link.usedAt || link.revokedAt) return false;
    return link.expiresAt > clock.now() && (await viewerOf(tenant, link)) !== null;
  });
  return canOpen ?? false;
}

/** Exchanges a link, once, for a visit of this browser. Null when it was used, has expired or never was. */
export async function openLink(
  { tenancy, clock }: LinkPorts,
  { shop, token }: { shop: ShopDomain; token: string },
): Promise<Visit | null> {
  return tenancy.inKnownShop(shop, (tenant) => begin(tenant, token, newSecret(), clock.now()));
}

/** The visitor behind the secret of a visit; null when the visit has ended. */
export async function recogniseVisit(
  { tenancy, clock }: LinkPorts,
  { shop, secret }: { shop: ShopDomain; secret: string },
): Promise<{ linkId: string; viewer: Viewer } | null> {
  return tenancy.inKnownShop(shop, (tenant) => resume(tenant, secret, clock.now()));
}

/**
 * The visitor who shows a link's own token, as a program does that cannot keep a cookie. The first call opens
 * the link, and its token is then the secret of that one visit; a link that a browser opened lets nobody in.
 */
export async function recogniseToken(
  { tenancy, clock }: LinkPorts,
  { shop, token }: { shop: ShopDomain; token: string },
): Promise<Viewer | null> {
  return tenancy.inKnownShop(shop, async (tenant) => {
    const now = clock.now();
    await begin(tenant, token, token, now);
    return (await resume(tenant, token, now))?.viewer ?? null;
  });
}

export async function endVisit(
  { tenancy }: Pick<Ports, "tenancy">,
  { shop, secret }: { shop: ShopDomain; secret: string },
): Promise<void> {
  await tenancy.inKnownShop(shop, (tenant) => tenant.links.endSession(hashOf(secret)));
}

async function begin(
  tenant: Tenant,
  token: string,
  secret: string,
  now: Date,
): Promise<Visit | null> {
  const known = await tenant.links.findByToken(hashOf(token));
  if (!known) return null;
  // Whoever hands a unit over, or takes it back, has the request first and then its links.
  await tenant.requests.findForUpdate(known.requestId);
  const link = await tenant.links.takeOnce(hashOf(token), now);
  if (!link || !(await viewerOf(tenant, link))) return null;
  const expiresAt = new Date(now.getTime() + VISIT_MS);
  await tenant.links.saveSession({ secretHash: hashOf(secret), linkId: link.id, expiresAt });
  if (link.kind === "handover") await claim(tenant, link, now);
  return { linkId: link.id, secret, expiresAt };
}

/** The patient is there: the unit is theirs from now on, and its buyer learns that it was claimed. */
async function claim(tenant: Tenant, link: PatientLink, now: Date): Promise<void> {
  const claimed = await tenant.requests.claim(link.requestId, now);
  if (!claimed) return;
  await tenant.timeline.add({
    kind: "unit_claimed",
    actor: "shopper",
    at: now,
    orderId: claimed.orderId,
    requestId: claimed.id,
  });
}

async function resume(
  tenant: Tenant,
  secret: string,
  now: Date,
): Promise<{ linkId: string; viewer: Viewer } | null> {
  const link = await tenant.links.linkOfSession(hashOf(secret), now);
  const viewer = link && (await viewerOf(tenant, link));
  return link && viewer && { linkId: link.id, viewer };
}

/** What a link shows. Null while the shop has uninstalled the app, and when the unit went back to its buyer. */
async function viewerOf(tenant: Tenant, link: PatientLink): Promise<Viewer | null> {
  const settings = await tenant.shops.find();
  const request = await tenant.requests.find(link.requestId);
  if (!settings?.installed || !request) return null;
  const { orderId, lineItemId, unit } = request;
  if (link.kind === "guest") return { kind: "guest", orderId };
  return link.kind === "handover" && request.holder === "patient"
    ? { kind: "patient", orderId, lineItemId, unit }
    : null;
}
