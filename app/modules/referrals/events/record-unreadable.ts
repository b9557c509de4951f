import { z } from "zod";
import { ReferralServiceError } from "../../../platform/errors.ts";
import type { Environment } from "../../shops/connection.ts";
import type { SyncedList } from "../sync-walk.ts";
import type { Tenant } from "../tenant.ts";
import type { UnreadableListed } from "../unreadable-entry.ts";

const isUuid = (text: string) => z.guid().safeParse(text).success;

/** Fields that the comparison reads of every entry. */
const LISTED_FIELD = /^(uuid|referenceNumber|createdAt|updatedAt|deletedAt|\(whole\)) /;

/** Tells a person of entries that pages could not be read of, and forgets those that can be read by now. */
export async function recordUnreadable(
  tenant: Tenant,
  environment: Environment,
  {
    pages,
    now,
  }: {
    pages: readonly {
      list: SyncedList;
      entries: { uuid: string }[];
      unreadable: UnreadableListed[];
    }[];
    now: Date;
  },
): Promise<void> {
  const told = await tenant.unreadable.list(environment, now);
  for (const { list, entries, unreadable } of pages) {
    const kind = list === "results" ? "result" : "referral";
    // Told by a search that read more of it: only such a search can take that back.
    const mended = told.filter(
      (one) =>
        one.kind === kind &&
        LISTED_FIELD.test(one.field) &&
        entries.some(({ uuid }) => uuid === one.uuid),
    );
    if (mended.length > 0)
      await tenant.unreadable.forget(
        environment,
        kind,
        mended.map(({ uuid }) => uuid),
      );
    await tell(tenant, environment, { list, unreadable, now });
  }
}

/**
 * Tells a person of listed entries that cannot be read. One of ours is asked for alone, where its failure gets an item
 * of its own. After a restore the walk proves what the service holds: an entry with a reference number of ours then keeps
 * its unit from being sent, and without a uuid it keeps the pause. Throws `contract_mismatch` for that one.
 */
async function tell(
  tenant: Tenant,
  environment: Environment,
  { list, unreadable, now }: { list: SyncedList; unreadable: UnreadableListed[]; now: Date },
): Promise<void> {
  if (unreadable.length === 0) return;
  const kind = list === "results" ? "result" : "referral";
  const entries = unreadable.map(({ uuid, field }) => ({ kind, uuid, field }) as const);
  const isSendingPaused =
    list === "referrals" && (await tenant.restores.pause(environment)) !== null;
  if (
    isSendingPaused &&
    unreadable.some(({ uuid, referenceNumber }) => referenceNumber && !isUuid(uuid))
  )
    throw new ReferralServiceError("contract_mismatch", "a listed referral of ours has no uuid");
  await tenant.unreadable.record(environment, entries, now);
  const { shop } = tenant;
  for (const { uuid, referenceNumber, field } of unreadable) {
    if (isSendingPaused && referenceNumber)
      await tenant.restores.recordUnclaimed(environment, [{ uuid, referenceNumber }]);
    if (!isUuid(uuid)) continue;
    const stored = await (kind === "result" ? tenant.results : tenant.referrals).find(uuid);
    const isOurs =
      stored !== null ||
      (kind === "referral" && (await isNumbered(tenant, environment, referenceNumber)));
    // It can be read alone, and would be at each comparison.
    const wasReadLately =
      stored !== null &&
      IS_UNDATED.test(field) &&
      now.getTime() - stored.fetchedAt.getTime() < UNDATED_EVERY_MS;
    if (isOurs && !wasReadLately)
      await tenant.jobs.enqueue({ name: `refetch-${kind}`, shop, environment, uuid });
  }
}

/** The field of an entry that cannot be compared, and can be read otherwise. */
const IS_UNDATED = /^updatedAt \w+$/;
/** How often such an entry is read alone: its changes have events besides. */
const UNDATED_EVERY_MS = 3_600_000;

/** Whether a reference number is that of a test of this shop in this environment. */
async function isNumbered(tenant: Tenant, environment: Environment, number: string | null) {
  const request = number && (await tenant.requests.findByReferenceNumber(number));
  return request ? request.environment === environment : false;
}
