import type { CustomerId, ShopDomain } from "../kernel/ids.ts";
import { hashSecret } from "../kernel/secret.ts";
import type { Answers } from "./draft.ts";
import { findOwned, findOwnedForUpdate } from "./find-owned.ts";
import { LinkRefused } from "./link-access.ts";
import { viewerOfSession } from "./open-link.ts";
import type { Ports } from "./ports.ts";
import type { Tenant } from "./tenant.ts";
import type { Viewer, ViewerScope } from "./viewer.ts";

/** How long answers wait that were not accepted (docs/decisions/0055). */
const DRAFT_MS = 24 * 3_600_000;

type Target = ViewerScope & { requestId: string };
type DraftPorts = Pick<Ports, "tenancy" | "clock">;

/** Keeps what somebody typed into the form of their request. Throws `LinkRefused` as saving the details does. */
export async function keepAnswers(
  { tenancy, clock }: DraftPorts,
  { shop, answers, ...target }: Target & { answers: Answers },
): Promise<void> {
  await tenancy.inShop(shop, (tenant) => keep(tenant, { ...target, answers, now: clock.now() }));
}

/**
 * Keeps what somebody typed whose session ended while they did. The session opens nothing any more: it only says whose
 * answers these are. Returns whether they are kept.
 */
export async function keepLateAnswers(
  { tenancy, clock }: DraftPorts,
  late: { shop: ShopDomain; secret: string; requestId: string; answers: Answers },
): Promise<boolean> {
  const { shop, secret, requestId, answers } = late;
  const work = tenancy.inKnownShop(shop, async (tenant) => {
    const now = clock.now();
    const session = await tenant.links.findLapsedSession(hashSecret(secret), now);
    const viewer = session && (await viewerOfSession(tenant, session, secret));
    return viewer ? keep(tenant, { viewer, requestId, answers, now }) : false;
  });
  const kept = await work.catch((error: unknown) => {
    if (error instanceof LinkRefused) return false;
    throw error;
  });
  return kept ?? false;
}

/**
 * Keeps what a customer typed whose sign-in to the shop ended while they did. `isTheirs`: whether what came with the form shows that
 * it is from this customer's own page. Returns whether they are kept.
 */
export async function keepSignedOutAnswers(
  { tenancy, clock }: DraftPorts,
  late: {
    shop: ShopDomain;
    requestId: string;
    answers: Answers;
    isTheirs: (customerId: CustomerId) => boolean;
  },
): Promise<boolean> {
  const { shop, requestId, answers, isTheirs } = late;
  const kept = await tenancy.inKnownShop(shop, async (tenant) => {
    const customerId = (await tenant.requests.find(requestId))?.customerId;
    if (!customerId || !isTheirs(customerId)) return false;
    const viewer = { kind: "customer", customerId } as const;
    return keep(tenant, { viewer, requestId, answers, now: clock.now() });
  });
  return kept ?? false;
}

/** What the viewer typed before and was not accepted; null for everybody else, and when its time is over. */
export async function keptAnswers(
  { tenancy, clock }: DraftPorts,
  { shop, viewer, requestId }: Target,
): Promise<Answers | null> {
  return tenancy.inShop(shop, async (tenant) => {
    const owned = await findOwned(tenant, { viewer, requestId, opening: "details" });
    const author = await authorOf(tenant, viewer);
    return owned && tenant.drafts.find(requestId, author, clock.now());
  });
}

async function keep(
  tenant: Tenant,
  draft: { viewer: Viewer; requestId: string; answers: Answers; now: Date },
): Promise<boolean> {
  const { viewer, requestId, answers, now } = draft;
  if (!(await findOwnedForUpdate(tenant, { viewer, requestId, opening: "details" }))) return false;
  const author = await authorOf(tenant, viewer);
  const expiresAt = new Date(now.getTime() + DRAFT_MS);
  await tenant.drafts.keep({ requestId, author, answers, expiresAt });
  return true;
}

/** The account, or the address that the link was mailed to: a new link to it is for the same person. */
async function authorOf(tenant: Tenant, viewer: Viewer): Promise<string> {
  if (viewer.kind === "customer") return tenant.drafts.authorOf(`customer ${viewer.customerId}`);
  const recipient = (await tenant.links.find(viewer.link.id))?.recipient;
  const who = recipient ? `address ${recipient.toString("hex")}` : `link ${viewer.link.id}`;
  return tenant.drafts.authorOf(`${viewer.kind} ${who}`);
}
