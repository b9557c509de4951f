import type { Environment } from "../../shops/connection.ts";
import type { ReferralService, ServicePage } from "../referral-service.ts";
import { linkAfterRestore } from "../restore/link-after-restore.ts";
import type { ListedReferral, ListedResult } from "../snapshots.ts";
import { SYNCED_LISTS, type SyncedList, type SyncWalk } from "../sync-walk.ts";
import type { Tenant } from "../tenant.ts";
import type { ListEntry } from "./list-entry.ts";

/** One page of a list of the service, as far as it is compared. */
export type ListPage = ServicePage<ListEntry>;

/** `keepsWhole`: a referral can be read as a whole later, which keeps its page's text until then. */
export async function fetchPage(
  service: ReferralService,
  { list, cursor }: Pick<SyncWalk, "list" | "cursor">,
  { keepsWhole }: { keepsWhole: boolean },
): Promise<ListPage> {
  if (list === "results") return pageOf(await service.resultPage(cursor), resultEntry);
  const page = await service.referralPage(cursor);
  const whole = keepsWhole ? page.whole : null;
  return pageOf(page, (referral) => referralEntry(referral, whole));
}

function pageOf<T>(
  { likelyNext, read }: ServicePage<T>,
  entryOf: (listed: T) => ListEntry,
): ListPage {
  return {
    likelyNext,
    read() {
      const { entries, ...rest } = read();
      return { entries: entries.map(entryOf), ...rest };
    },
  };
}

function referralEntry(referral: ListedReferral, whole: ListEntry["whole"]): ListEntry {
  const { uuid, referenceNumber } = referral;
  const isDeleted = referral.deletedAt !== null;
  return { uuid, referralUuid: uuid, referenceNumber, ...times(referral), isDeleted, whole };
}

function resultEntry(result: ListedResult): ListEntry {
  const { uuid, referralUuid, referenceNumber } = result;
  const others = { isDeleted: result.deletedAt !== null, whole: null };
  return { uuid, referralUuid, referenceNumber, ...times(result), ...others };
}

function times(listed: { createdAt: string; updatedAt: string }) {
  const createdAt = Date.parse(listed.createdAt);
  const updatedAt = Date.parse(listed.updatedAt);
  return { createdAt, updatedAt, touchedAt: Math.max(createdAt, updatedAt) };
}

/**
 * Compares pages with what is stored, in a statement or two however many they are, and queues a refetch of each
 * entry that differs. Returns those that did.
 */
export async function findNews(
  tenant: Tenant,
  environment: Environment,
  { pages, now }: { pages: readonly { list: SyncedList; entries: ListEntry[] }[]; now: Date },
): Promise<ListEntry[]> {
  const news: ListEntry[] = [];
  for (const list of SYNCED_LISTS) {
    const read = pages.filter((page) => page.list === list).flatMap((page) => page.entries);
    // A list moves while it is read: a page may repeat what the one before it held.
    const entries = [...new Map(read.map((entry) => [entry.uuid, entry])).values()];
    if (entries.length > 0)
      news.push(...(await newsOf(tenant, environment, { list, entries, now })));
  }
  return news;
}

async function newsOf(
  tenant: Tenant,
  environment: Environment,
  { list, entries, now }: { list: SyncedList; entries: ListEntry[]; now: Date },
): Promise<ListEntry[]> {
  const found = await tenant.serviceSync.differing(list, entries, now);
  if (found.length === 0) return [];
  const isKnown = new Map(found.map((one) => [one.uuid, one.isKnown]));
  const differing = entries.filter(({ uuid }) => isKnown.has(uuid));
  const ours =
    list === "results"
      ? await ownResults(tenant, differing)
      : await ownReferrals(tenant, environment, differing, isKnown);
  const name = list === "results" ? "refetch-result" : "refetch-referral";
  for (const { uuid } of ours)
    await tenant.jobs.enqueue({ name, shop: tenant.shop, environment, uuid });
  return ours;
}

async function ownResults(tenant: Tenant, entries: ListEntry[]): Promise<ListEntry[]> {
  const living = await tenant.serviceSync.living(entries.map((entry) => entry.referralUuid));
  return entries.filter((entry) => living.has(entry.referralUuid));
}

async function ownReferrals(
  tenant: Tenant,
  environment: Environment,
  entries: ListEntry[],
  isKnown: ReadonlyMap<string, boolean>,
): Promise<ListEntry[]> {
  const strangers = entries.filter((entry) => !isKnown.get(entry.uuid));
  const references = strangers.flatMap((entry) => entry.referenceNumber ?? []);
  const requests = await tenant.requests.byReferenceNumbers(references);
  await linkAfterRestore(tenant, environment, { strangers, requests });
  return entries.filter(
    (entry) =>
      isKnown.get(entry.uuid) ||
      (entry.referenceNumber !== null &&
        requests.get(entry.referenceNumber)?.environment === environment),
  );
}
