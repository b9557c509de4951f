import type { Actor } from "../kernel/timeline.ts";
import { type LedgerEvent, type Step, transition } from "./ledger/transitions.ts";
import type { ReferralRequest } from "./request.ts";
import type { Tenant } from "./tenant.ts";

export interface Applied {
  /** The request as it is afterwards. */
  request: ReferralRequest;
  step: Step;
}

/**
 * The only writer of a request's state: locks its row, asks the table (ledger/transitions.ts), and writes the row, the
 * line of the timeline and the work that follows, in the caller's transaction. Null when the event changes nothing: the
 * request is gone, somebody else was there first, or the event is about another attempt.
 */
export async function apply(
  tenant: Tenant,
  requestId: string,
  event: LedgerEvent,
  { actor, at }: { actor: Actor; at: Date },
): Promise<Applied | null> {
  const before = await tenant.requests.findForUpdate(requestId);
  if (!before) return null;
  const step = transition(before, event);
  if (typeof step === "string") return null;
  const { to, change, records, detail, queues } = step;
  const isUnchanged = to === before.state && Object.keys(change).length === 0;
  const request = isUnchanged
    ? before
    : await tenant.requests.move(requestId, [before.state], to, change);
  if (!request) return null;
  const { orderId } = request;
  if (records)
    await tenant.timeline.add({
      kind: records,
      actor,
      at,
      orderId,
      requestId,
      ...(detail && { detail }),
    });
  if (queues) await tenant.jobs.enqueue({ name: queues, shop: tenant.shop, requestId });
  return { request, step };
}
