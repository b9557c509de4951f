import { lostDocuments } from "../../platform/counters.ts";
import { errorCode } from "../../platform/error-code.ts";
import { unlessDamaged } from "../../platform/unless-damaged.ts";
import type { ShopDomain } from "../kernel/ids.ts";
import { rangesSince } from "./check-standing.ts";
import {
  type DocumentBody,
  OBJECT_STORES,
  type ObjectStoreName,
  type PlacedBody,
} from "./document.ts";
import type { Ports } from "./ports.ts";
import type { IdRange } from "./request-repository.ts";
import type { Tenant } from "./tenant.ts";

/**
 * A PDF is placed before its row commits: a younger object stays. So does one that a document left later than that, because a
 * backup of the database may be older than the move.
 * An erased one is noise all the while, for its key is gone.
 */
const UNCLAIMED_MS = 30 * 24 * 3_600_000;

/**
 * Documents that one look has fetched again where a store has nothing at all. A folder that is not mounted looks like that, and is
 * there again before everything was asked for.
 */
const IN_DOUBT_AT_ONCE = 100;

/**
 * Compares a shop's stores of documents with the rows that point at them, a part at each look and the whole within a day. What
 * nothing points at is deleted: it was moved, erased, or never got its row. A copy of the database on trial deletes nothing in a
 * store that is not its own. A row whose object is lost is told to the operator, and its PDF fetched from the service again. Returns
 * how many of each there were.
 */
export async function sweepDocuments(
  ports: Pick<Ports, "tenancy" | "clock" | "logger" | "documentBodies" | "maintenanceIntervalMs">,
  shop: ShopDomain,
): Promise<{ deleted: number; lost: number }> {
  const total = { deleted: 0, lost: 0 };
  for (const range of rangesSince(ports.clock.now(), ports.maintenanceIntervalMs)) {
    const { deleted, lost } = await sweepRange(ports, shop, range);
    total.deleted += deleted;
    total.lost += lost;
  }
  return total;
}

async function sweepRange(
  {
    tenancy,
    clock,
    logger,
    documentBodies,
  }: Pick<Ports, "tenancy" | "clock" | "logger" | "documentBodies">,
  shop: ShopDomain,
  range: IdRange,
): Promise<{ deleted: number; lost: number }> {
  // Rows first: an object that is placed meanwhile is then listed, and one that a row points at is never taken for lost.
  const before = clock.now().getTime() - UNCLAIMED_MS;
  const { rows, left } = await tenancy.inShop(shop, async ({ documents }) => ({
    rows: await documents.objectsIn(range),
    left: await documents.leftSince(range, new Date(before)),
  }));
  const there = new Map<string, { store: (typeof rows)[number]["store"]; at: Date }>();
  for await (const { store, object, at } of documentBodies.list(shop, range))
    there.set(`${store} ${object}`, { store, at });
  const pointedAt = new Set(rows.map(({ store, object }) => `${store} ${object}`));
  let deleted = 0;
  // To a copy on trial, what the original has stored since belongs to nobody.
  const foreign = new Set<(typeof rows)[number]["store"]>();
  for (const [name, { store, at }] of there) {
    const object = name.slice(store.length + 1);
    if (pointedAt.has(name) || at.getTime() > before || left.has(object) || foreign.has(store))
      continue;
    if (await documentBodies.delete(shop, { store, object })) deleted++;
    else foreign.add(store);
  }
  // One that is not set up is told by whoever reads from it.
  const lost = rows.filter(
    ({ store, object }) => documentBodies.stores.has(store) && !there.has(`${store} ${object}`),
  );
  for (const { documentId } of lost) {
    lostDocuments.add({});
    logger.error({ shop, documentId, code: "document_lost" }, "a document is not in its store");
  }
  const gone = await toFetchAgain(documentBodies, shop, lost);
  const isThere = ({ store, object }: (typeof rows)[number]) => there.has(`${store} ${object}`);
  const found: typeof rows = [];
  for (const row of rows)
    if (row.isLost && isThere(row) && (await opens({ tenancy, documentBodies }, shop, row)))
      found.push(row);
  await tenancy.inShop(shop, async (tenant) => {
    await tenant.documents.setLost(found, null);
    await noteLost(tenant, gone, clock.now());
  });
  return { deleted, lost: lost.length };
}

/** Whether an object that was taken for lost is there again as it was: a damaged one is listed too. */
async function opens(
  { tenancy, documentBodies }: Pick<Ports, "tenancy" | "documentBodies">,
  shop: ShopDomain,
  { documentId }: { documentId: string },
): Promise<boolean> {
  const body = await unlessDamaged(() =>
    tenancy.inShop(shop, ({ documents }) => documents.body(documentId)),
  );
  if (!body) return false;
  try {
    await documentBodies.read(shop, body);
    return true;
  } catch (error) {
    if (LOST.has(errorCode(error))) return false;
    throw error;
  }
}

/** Codes of a store for what is not there as it was stored. A bad line may look like that, and a PDF that is fetched again then is the same. */
const LOST: ReadonlySet<string> = new Set(["document_store_missing", "document_store_unreadable"]);

/**
 * Has a document fetched again which a store did not give because it does not have it as it was: the regular look comes by within a
 * day, and sees no damage. Returns whether it is lost: not when the document lies elsewhere by now, or the store is only away.
 */
export async function refetchIfLost(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  shop: ShopDomain,
  { documentId, body: sought }: { documentId: string; body: DocumentBody },
  error: unknown,
): Promise<boolean> {
  if (Buffer.isBuffer(sought) || !LOST.has(errorCode(error))) return false;
  const { object } = sought;
  return tenancy.inShop(shop, async (tenant) => {
    const document = await tenant.documents.find(documentId);
    const bodies = document ? await tenant.documents.bodiesOutside([document.requestId]) : [];
    // A PDF that came or was moved meanwhile lies elsewhere by now.
    const isThis = ({ body }: PlacedBody) => !Buffer.isBuffer(body) && body.object === object;
    const found = bodies.find(isThis);
    if (found && !found.lostAt) await noteLost(tenant, [{ documentId, object }], clock.now());
    return found !== undefined;
  });
}

/** Notes documents as lost, and has the current ones fetched from the service. */
async function noteLost(
  tenant: Tenant,
  bodies: readonly { documentId: string; object: string }[],
  at: Date,
): Promise<void> {
  for (const { kind, environment, uuid } of await tenant.documents.setLost(bodies, at)) {
    const name = kind === "referral" ? "refetch-referral" : "refetch-result";
    await tenant.jobs.enqueue({ name, shop: tenant.shop, environment, uuid });
  }
}

/** All that are lost in stores that are the right ones, and some of those in others, the ones first that nobody asked for yet. */
async function toFetchAgain<T extends { store: ObjectStoreName; isLost: boolean }>(
  documentBodies: Ports["documentBodies"],
  shop: ShopDomain,
  lost: readonly T[],
): Promise<T[]> {
  const found: T[] = [];
  for (const store of OBJECT_STORES) {
    const here = lost.filter((row) => row.store === store);
    if (here.length === 0) continue;
    const isKnown = await documentBodies.isKnown(shop, store);
    const newFirst = here.toSorted((a, b) => Number(a.isLost) - Number(b.isLost));
    found.push(...(isKnown ? here : newFirst.slice(0, IN_DOUBT_AT_ONCE)));
  }
  return found;
}
