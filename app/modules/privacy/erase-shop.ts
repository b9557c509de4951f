import type { ShopDomain } from "../kernel/ids.ts";
import type { StoredObject } from "../referrals/document.ts";
import { tellBeforeErasure } from "../referrals/tell-waiting.ts";
import { FIRST_ID } from "../referrals/waiting-patients.ts";
import { askWhetherLeft } from "../shops/ask-whether-left.ts";
import { hasLeft } from "../shops/store-access.ts";
import type { Ports } from "./ports.ts";
import type { PrivacyRequest, PrivacyRequestOutcome } from "./privacy.ts";

/** The store asks for a shop to be forgotten so long after the app was uninstalled. */
const ASKED_AFTER_MS = 48 * 3_600_000;
/** So long mails to waiting patients may hold an erasure up: the law gives 30 days for it. */
const MAX_TELLING_MS = 10 * 24 * 3_600_000;
/** The first look after such a mail follows soon; later ones wait for as long as it took until then. */
const LOOK_AGAIN_MS = { first: 2_000, last: 3_600_000 };

/**
 * Forgets a shop that has left, after a delay in which an install or the operator can cancel. One that came back in the
 * meantime, or never left, is left alone. Patients who wait for results are told before: what is destroyed here cannot be had
 * again, so in doubt the store itself is asked whether the app is still let in.
 */
export async function eraseShop(
  { tenancy, clock, shopEraser, storeAccess, documentBodies, waits }: EraserPorts,
  { shop, request }: { shop: ShopDomain; request: PrivacyRequest },
): Promise<PrivacyRequestOutcome> {
  const { askedAt, openedAt } = request;
  const known = await tenancy.inShop(shop, (tenant) => tenant.shops.find());
  if (known?.installed) {
    // A shop that was installed at the time of that uninstalling missed its message; every other shop has come back.
    const missedIt = known.installedAt.getTime() < askedAt.getTime() - ASKED_AFTER_MS;
    const mayBeGone = missedIt || known.otherStoreId !== null;
    const asking = { tenancy, storeAccess, clock };
    const access = mayBeGone ? await askWhetherLeft(asking, shop, openedAt) : "open";
    // Nothing can be asked with: the request stays open, and maintenance asks again.
    if (access === "unknown") return { kind: "unconfirmed" };
    if (!hasLeft(access)) return spare(tenancy, shop, request, clock.now());
    await tenancy.inShop(shop, (tenant) => tenant.shops.uninstall(askedAt));
  }
  // Back since the store asked, and off again: that leaving is a new one, for which the store asks again.
  if (known && known.installedAt > openedAt) return spare(tenancy, shop, request, clock.now());
  // Counted from the arrival: when the store asked is what an unsigned header says.
  const until = new Date(request.openedAt.getTime() + waits.erasureDelayMs);
  if (clock.now() < until) {
    const job = { name: "do-privacy-request", shop, inboxId: request.inboxId } as const;
    await tenancy.inShop(shop, (tenant) => tenant.jobs.enqueue(job, { startAfter: until }));
    return { kind: "delayed", until };
  }
  // Afterwards nobody knows any more who waits, or where they are mailed.
  const unsent = await tellBeforeErasure({ tenancy, clock }, shop);
  const waitedMs = clock.now().getTime() - until.getTime();
  if (unsent > 0 && waitedMs < MAX_TELLING_MS) {
    const { first, last } = LOOK_AGAIN_MS;
    const again = new Date(clock.now().getTime() + Math.min(last, Math.max(first, waitedMs)));
    const job = { name: "do-privacy-request", shop, inboxId: request.inboxId } as const;
    await tenancy.inShop(shop, (tenant) => tenant.jobs.enqueue(job, { startAfter: again }));
    return { kind: "delayed", until: again };
  }
  // It took a while to find and tell them.
  const current = await tenancy.inShop(shop, (tenant) => tenant.shops.find());
  if (current && current.installedAt > openedAt) return spare(tenancy, shop, request, clock.now());
  const receipt = await shopEraser.erase(shop, { askedAt, doneAt: clock.now() });
  if (!receipt) return spare(tenancy, shop, request, clock.now());
  await endErasure({ tenancy, documentBodies }, shop);
  return { kind: "done", receipt };
}

/** Objects that are listed, and then deleted together. */
const OBJECTS_AT_ONCE = 100;

/**
 * Deletes what an erasure of the shop left in the stores: nothing opens it any more, for its keys went with their rows. Called
 * again where the stores were away or its process died, because the request went with the shop. A shop that is there, or comes
 * back meanwhile, has a sweep of its own.
 */
export async function endErasure(
  { tenancy, documentBodies }: Pick<Ports, "tenancy" | "documentBodies">,
  shop: ShopDomain,
): Promise<void> {
  const isThere = () => tenancy.inShop(shop, (tenant) => tenant.shops.find());
  const foreign = new Set<string>();
  const end = async (objects: Pick<StoredObject, "store" | "object">[]) => {
    // Where the store belongs to another database, they stay as noise.
    for (const object of objects)
      if (!foreign.has(object.store) && !(await documentBodies.delete(shop, object)))
        foreign.add(object.store);
  };
  let listed: Pick<StoredObject, "store" | "object">[] = [];
  for await (const object of documentBodies.list(shop, { from: FIRST_ID, until: null })) {
    listed.push(object);
    if (listed.length < OBJECTS_AT_ONCE) continue;
    // Looked at after they were listed: a shop that came back was installed before its first PDF was placed.
    if (await isThere()) return;
    await end(listed);
    listed = [];
  }
  if (listed.length > 0 && !(await isThere())) await end(listed);
}

type EraserPorts = Pick<
  Ports,
  "tenancy" | "clock" | "shopEraser" | "storeAccess" | "documentBodies" | "waits"
>;

async function spare(
  tenancy: Ports["tenancy"],
  shop: ShopDomain,
  { inboxId }: PrivacyRequest,
  at: Date,
): Promise<PrivacyRequestOutcome> {
  const receipt = { kept: "installed_again" };
  await tenancy.inShop(shop, (tenant) => tenant.privacy.finish(inboxId, { at, receipt }));
  return { kind: "done", receipt };
}
