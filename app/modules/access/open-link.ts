import type { ShopDomain } from "../kernel/ids.ts";
import { expiryOf, hashSecret, newSecret } from "../kernel/secret.ts";
import type { AccessLink, GuestSession } from "./link.ts";
import { endOf, findLinked, isOver, type LinkEnd } from "./link-end.ts";
import type { Ports } from "./ports.ts";
import type { Tenant } from "./tenant.ts";
import type { Viewer } from "./viewer.ts";

type LinkPorts = Pick<Ports, "tenancy" | "clock">;

export interface StartedSession {
  linkId: string;
  /** The secret of this session; for the visitor's browser alone. */
  secret: string;
}

/**
 * Why a link would let nobody in now; null when it would. Only the token's owner can ask, so the reason tells nobody
 * else anything. Looking does not use the link up: mail scanners look too.
 */
export async function whyClosed(
  { tenancy, clock }: LinkPorts,
  { shop, token }: { shop: ShopDomain; token: string },
): Promise<LinkEnd | "unknown" | null> {
  const found = await tenancy.inKnownShop(shop, async (tenant) => {
    const link = await tenant.links.findByToken(hashSecret(token));
    return { end: link ? await endOf(tenant, link, clock.now()) : ("unknown" as const) };
  });
  return found ? found.end : "unknown";
}

/** Whether a mailed link or a session that goes on has this secret. Opens nothing, and uses nothing up. */
export async function knowsToken(
  { tenancy, clock }: LinkPorts,
  { shop, token }: { shop: ShopDomain; token: string },
): Promise<boolean> {
  const hash = hashSecret(token);
  const found = await tenancy.inKnownShop(
    shop,
    async ({ links }) =>
      (await links.findByToken(hash)) ?? (await links.findSession(hash, clock.now())),
  );
  return found !== null;
}

/**
 * Exchanges a link, once, for a session of this browser. Null when the link has ended or never was. A browser that was given
 * its `secret` beforehand may ask again, and gets the same session: its button was pressed twice, or the first answer was lost.
 */
export async function openLink(
  { tenancy, clock }: LinkPorts,
  { shop, token, secret }: { shop: ShopDomain; token: string; secret?: string },
): Promise<StartedSession | null> {
  return tenancy.inKnownShop(shop, async (tenant) => {
    const now = clock.now();
    const started = await begin(tenant, token, secret ?? newSecret("guest_session"), now);
    return started ?? (secret ? findStarted(tenant, token, { secret, now }) : null);
  });
}

/** The session that this link let in with this secret, and that goes on; null without. */
async function findStarted(
  tenant: Tenant,
  token: string,
  { secret, now }: { secret: string; now: Date },
): Promise<StartedSession | null> {
  const link = await tenant.links.findByToken(hashSecret(token));
  const session = await tenant.links.findSession(hashSecret(secret), now);
  return link && session?.link.id === link.id ? { linkId: link.id, secret } : null;
}

/**
 * The visitor behind the secret of a session; null when the session has ended. A session goes on when its link is
 * superseded or its purpose is over: it opens no more than the link did.
 */
export async function recogniseSession(
  { tenancy, clock }: LinkPorts,
  { shop, secret }: { shop: ShopDomain; secret: string },
): Promise<{ linkId: string; viewer: Viewer } | null> {
  return tenancy.inKnownShop(shop, async (tenant) => {
    const session = await tenant.links.findSession(hashSecret(secret), clock.now());
    const viewer = session && (await viewerOfSession(tenant, session, secret));
    return session && viewer && { linkId: session.link.id, viewer };
  });
}

/** Whether a session has ended by the clock, and not because somebody ended it. */
export async function hasLapsed(
  { tenancy, clock }: LinkPorts,
  { shop, secret }: { shop: ShopDomain; secret: string },
): Promise<boolean> {
  const lapsed = await tenancy.inKnownShop(shop, ({ links }) =>
    links.findLapsedSession(hashSecret(secret), clock.now()),
  );
  return lapsed !== null;
}

/**
 * The visitor who shows a link's own token, as a program does that cannot keep a cookie. The first call opens the
 * link, and its token is then the secret of that one session. The token lets nobody in once a browser opened the link,
 * a newer link was mailed, or the link's purpose is over.
 */
export async function recogniseToken(
  { tenancy, clock }: LinkPorts,
  { shop, token }: { shop: ShopDomain; token: string },
): Promise<Viewer | null> {
  return tenancy.inKnownShop(shop, async (tenant) => {
    const now = clock.now();
    await begin(tenant, token, token, now);
    const session = await tenant.links.findSession(hashSecret(token), now);
    if (!session || session.link.supersededAt) return null;
    const request = await findLinked(tenant, session.link);
    if (!request || (await isOver(tenant, session.link, request))) return null;
    return viewerOfSession(tenant, session, token);
  });
}

/** Ends one visit by a link, in the browser that shows its secret. */
export async function endSession(
  { tenancy }: Pick<Ports, "tenancy">,
  { shop, secret }: { shop: ShopDomain; secret: string },
): Promise<void> {
  await tenancy.inKnownShop(shop, (tenant) => tenant.links.endSession(hashSecret(secret)));
}

async function begin(
  tenant: Tenant,
  token: string,
  secret: string,
  now: Date,
): Promise<StartedSession | null> {
  const known = await tenant.links.findByToken(hashSecret(token));
  if (!known || (await endOf(tenant, known, now))) return null;
  // The lock order is request, then links. An invitation and its revocation take them in the same order.
  await tenant.requests.findForUpdate(known.requestId);
  const link = await tenant.links.takeOnce(hashSecret(token), now);
  if (!link || !(await findLinked(tenant, link))) return null;
  const expiresAt = expiryOf("guest_session", now);
  const secretHash = hashSecret(secret);
  await tenant.links.saveSession({ secretHash, linkId: link.id, expiresAt, at: now });
  // A link for the status may be in the hands of staff, who gave it to the patient: it opens nothing, and claims nothing.
  if (link.kind === "handover" && link.purpose !== "status") await claim(tenant, link, now);
  return { linkId: link.id, secret };
}

/** The patient is there: the unit is theirs from now on, and its buyer learns that it was claimed. */
async function claim(tenant: Tenant, link: AccessLink, now: Date): Promise<void> {
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

/** Finds the viewer of a link, and how far the link opens. Null as for `findLinked`. */
export async function viewerOfSession(
  tenant: Tenant,
  { link: { id, kind, purpose, ...link }, steppedUpAt }: GuestSession,
  secret: string,
): Promise<Viewer | null> {
  const request = await findLinked(tenant, { id, kind, purpose, ...link });
  if (!request) return null;
  const { orderId, lineItemId, unit } = request;
  const came = {
    id,
    requestId: request.id,
    purpose,
    unit: { lineItemId, unit },
    sessionHash: hashSecret(secret),
    steppedUpAt,
  };
  return kind === "guest"
    ? { kind: "guest", orderId, link: came }
    : { kind: "patient", orderId, lineItemId, unit, link: came };
}
