import { crashPoint } from "../../../platform/crash-points.ts";
import { ReferralServiceError } from "../../../platform/errors.ts";
import type { Environment } from "../../shops/connection.ts";
import { lastingFailureOf } from "../record-unresolved.ts";
import type { ReferralService } from "../referral-service.ts";
import type { ReferralRequest } from "../request.ts";
import type { ReferralSnapshot, UnreadableReferral } from "../snapshots.ts";
import type { Tenant } from "../tenant.ts";
import type { UnreadableEntry } from "../unreadable-entry.ts";
import { isNamed } from "./of-another.ts";
import { olderInARow } from "./older-in-a-row.ts";
import { partOfReferral } from "./referral-parts.ts";

/** The clocks of the service's own machines may differ by this much. */
const CLOCK_TOLERANCE_MS = 10 * 60_000;
/**
 * The service's clock may have been set back by this much since the newest referral that is known was made: by the distance of an
 * Australian time zone from UTC, and one hour. Each hour more is read by each search that proves something.
 */
const SET_BACK_MS = 12 * 3_600_000;
/** So many entries in a row that are older than what is looked for end a search. One may have a wrong date. */
const OLDER_IN_A_ROW = 20;

/** Entries that a scan could not read, and the uuids of those that it read. */
export interface Seen {
  unreadable: UnreadableEntry[];
  read: string[];
}
/** The beginning of a scan. */
export const nothingSeen = (): Seen => ({ unreadable: [], read: [] });

/** Tells a person of the entries that a scan could not read, and forgets those that can be read by now. */
export async function recordSeen(
  tenant: Tenant,
  environment: Environment,
  { unreadable, read }: Seen,
  now: Date,
): Promise<void> {
  const told = new Set((await tenant.unreadable.list(environment, now)).map(({ uuid }) => uuid));
  const mended = read.filter((uuid) => told.has(uuid));
  if (mended.length > 0) await tenant.unreadable.forget(environment, "referral", mended);
  await tenant.unreadable.record(environment, unreadable, now);
}

/**
 * Reads the list newest first until it is older than the first attempt: one that was given up may still have been
 * committed late. To its end, when no attempt of our own is known. Where `isProof`, something is sent if nothing is found: it then
 * reads on for half a day of the list, should the service's clock have been set back, by which the list is sorted.
 */
export async function findReferrals(
  service: ReferralService,
  request: ReferralRequest,
  { seen: { unreadable, read }, isProof }: { seen: Seen; isProof: boolean },
): Promise<ReferralSnapshot[]> {
  const found: ReferralSnapshot[] = [];
  const toleranceMs = isProof ? SET_BACK_MS : CLOCK_TOLERANCE_MS;
  const oldest = (request.recoveryLowerBound?.getTime() ?? 0) - toleranceMs;
  const older = olderInARow(oldest);
  for await (const referral of untilItBreaksOff(service.referralsNewestFirst(), found)) {
    crashPoint("resolve.mid-scan");
    if (older(timesOf(referral)) >= OLDER_IN_A_ROW) break;
    if ("isUnreadable" in referral) {
      const { uuid, field } = referral;
      unreadable.push({ kind: "referral", uuid, field });
      // Somebody else's says nothing. Our own may be what is looked for, so that a person has to look.
      if (referral.mentions(request.referenceNumber) || referral.mentions(request.id))
        throw new ReferralServiceError("contract_mismatch", `referral ${uuid}`);
      continue;
    }
    const ours = isNamed(request, referral);
    const { uuid, unread = [] } = referral;
    if (unread.length > 0) unreadable.push({ kind: "referral", uuid, field: unread.join("; ") });
    else read.push(uuid);
    // When one part of a Medicare request is known, only the other is looked for (ledger rule 6).
    const isWanted =
      request.missingPart === null || partOfReferral(referral) === request.missingPart;
    if (ours && isWanted) found.push(referral);
  }
  return found;
}

/** A list whose rest cannot be read proves nothing by what it lacks. All that was found on it exists. */
async function* untilItBreaksOff<T>(list: AsyncIterable<T>, found: readonly unknown[]) {
  try {
    yield* list;
  } catch (error) {
    if (found.length === 0 || lastingFailureOf(error) !== "contract_mismatch") throw error;
  }
}

const timesOf = ({
  createdAt,
  updatedAt,
}: Pick<UnreadableReferral, "createdAt" | "updatedAt">) => ({
  createdAt: Date.parse(createdAt ?? ""),
  updatedAt: Date.parse(updatedAt ?? ""),
});
