import type { ShopDomain } from "../kernel/ids.ts";
import type { CatchUp } from "./catch-up.ts";
import type { Ports } from "./ports.ts";
import { startCatchUp } from "./start-catch-up.ts";

/** The store tries to deliver a message for 4 hours; a day more is for us having been away. */
const LOOK_BACK_MS = 48 * 3_600_000;
/** What changed later than this may still be on the way, and is left to the next time. */
const LONGEST_SETTLING_MS = 5 * 60_000;

/** The regular look for missed orders: begins one when the last is an interval ago, and none is running. */
export async function catchUpWhenDue(
  ports: Pick<Ports, "tenancy" | "clock" | "tendingIntervalMs">,
  shop: ShopDomain,
): Promise<{ kind: "not_due" | "started" | "already_running" | "not_installed" }> {
  const now = ports.clock.now();
  const last = await ports.tenancy.inShop(shop, (tenant) => tenant.catchUps.latest("schedule"));
  const isRunning = last?.state === "running";
  if (last && !isRunning && now.getTime() - last.startedAt.getTime() < ports.tendingIntervalMs)
    return { kind: "not_due" };
  const until = now.getTime() - Math.min(LONGEST_SETTLING_MS, ports.tendingIntervalMs);
  // From where the last one got to, when that is longer ago than usual.
  const since = Math.min(until - LOOK_BACK_MS, last ? seenUntil(last).getTime() : until);
  return startCatchUp(ports, {
    shop,
    askedBy: "schedule",
    since: new Date(since),
    until: new Date(until),
  });
}

/** How far a walk has seen everything: one that was stopped, no further than the last order it came to. */
function seenUntil({ state, since, until, reached }: CatchUp): Date {
  return state === "done" ? until : (reached ?? since);
}
