import { z } from "zod";
import { type AnswerIds, ReferralServiceError } from "../../../platform/errors.ts";
import type { Environment } from "../../shops/connection.ts";
import { apply } from "../apply.ts";
import { livingNamed, requestNamed } from "../referrals/record-unreadable-own.ts";
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
 * of its own; so is a result that names a test of ours. After a restore the walk proves what the service holds: an entry
 * with a reference number of ours then keeps its unit from being sent, and without a uuid it keeps the pause. Throws
 * `contract_mismatch` for that one.
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
  for (const { field, ...ids } of unreadable) {
    const { uuid, referenceNumber } = ids;
    if (isSendingPaused && referenceNumber)
      await tenant.restores.recordUnclaimed(environment, [{ uuid, referenceNumber }]);
    if (!isUuid(uuid)) {
      if (kind === "result") await tellOfNameless(tenant, environment, { ids, now });
      continue;
    }
    const stored = await (kind === "result" ? tenant.results : tenant.referrals).find(uuid);
    const isOurs =
      stored !== null ||
      (await (kind === "result" ? livingNamed : requestNamed)(tenant, environment, ids)) !== null;
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

/**
 * Tells of a listed result that has no uuid, with the test that it names: it can't be asked for alone. Where a result of that
 * referral is here, the entry may well be that one.
 */
async function tellOfNameless(
  tenant: Tenant,
  environment: Environment,
  { ids, now }: { ids: AnswerIds; now: Date },
): Promise<void> {
  const requestId = await livingNamed(tenant, environment, ids);
  if (!requestId) return;
  const results = await tenant.results.forRequests([requestId]);
  const { uuid, referralUuid } = ids;
  if (results.some((one) => referralUuid === null || one.referralUuid === referralUuid)) return;
  const event = { kind: "answer_unreadable", uuid, code: "contract_mismatch" } as const;
  await apply(tenant, requestId, event, { actor: "pathway", at: now });
}
