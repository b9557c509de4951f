import { heldRequests } from "../../../platform/database/held-rows.ts";
import type { Scope } from "../../../platform/database/scope.ts";

/**
 * Whether everything about a request's patient was destroyed, so that nothing may be stored of it any more.
 * An erasure of the request waits until this transaction ends, so that nothing slips in between.
 */
export async function isRedacted(
  { tx, shop }: Pick<Scope, "tx" | "shop">,
  requestId: string,
): Promise<boolean> {
  const held = heldRequests<{ redactedAt: Date | null }>(tx).get(requestId);
  if (held) return held.redactedAt !== null;
  const [row] = await tx.$queryRaw<{ redacted: boolean }[]>`
    SELECT redacted_at IS NOT NULL AS redacted FROM referral_requests
    WHERE shop = ${shop} AND id = ${requestId}::uuid FOR NO KEY UPDATE`;
  return row?.redacted ?? false;
}
