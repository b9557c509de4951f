import type { Actor } from "../kernel/timeline.ts";
import type { Tenant } from "../privacy/tenant.ts";

const HOUR_MS = 3_600_000;

/** Logs that a member of staff saw an address or a number of these tests, unless the last hour has it: a page reads itself again. */
export async function logLooks(
  tenant: Tenant,
  requestIds: string[],
  { actor, now, what }: { actor: Actor; now: Date; what: "address_viewed" | "phone_viewed" },
): Promise<void> {
  const latest = await tenant.accessLog.forRequests(requestIds, 500, ["staff"]);
  const since = now.getTime() - HOUR_MS;
  const isLogged = (requestId: string) =>
    latest.some(
      (one) =>
        one.what === what &&
        one.actor === actor &&
        one.requestId === requestId &&
        one.at.getTime() > since,
    );
  const looks = requestIds.filter((requestId) => !isLogged(requestId));
  await tenant.accessLog.add(
    ...looks.map((requestId) => ({ at: now, who: "staff" as const, actor, what, requestId })),
  );
}
