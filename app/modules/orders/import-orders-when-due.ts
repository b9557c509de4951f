import type { ShopDomain } from "../kernel/ids.ts";
import { isBeforeSetBack } from "../kernel/secret.ts";
import type { OrderImport } from "./order-import.ts";
import type { Ports } from "./ports.ts";
import { startOrderImport } from "./start-order-import.ts";

/** The store tries to deliver a message for 4 hours; a day more is for us having been away. */
const LOOK_BACK_MS = 48 * 3_600_000;
/** A change later than this may still be on the way. The next import looks at it. */
const MAX_SETTLING_MS = 5 * 60_000;

/** The regular look for missed orders: begins one when the last is an interval ago, and none is running. */
export async function importOrdersWhenDue(
  ports: Pick<Ports, "tenancy" | "clock" | "maintenanceIntervalMs">,
  shop: ShopDomain,
): Promise<{ kind: "not_due" | "started" | "already_running" | "not_installed" }> {
  const now = ports.clock.now();
  const { last, installedAt } = await ports.tenancy.inShop(shop, async (tenant) => ({
    last: await tenant.orderImports.latest("schedule"),
    installedAt: (await tenant.shops.find())?.installedAt ?? null,
  }));
  const isRunning = last?.state === "running";
  const isRecent =
    last &&
    now.getTime() - last.startedAt.getTime() < ports.maintenanceIntervalMs &&
    // Nothing was told while the app was off.
    !(installedAt && last.startedAt < installedAt) &&
    // A clock that was ahead began it. Orders that came since are looked for at once, and not once the clock is where it was.
    !isBeforeSetBack(last.startedAt, now);
  if (isRecent && !isRunning) return { kind: "not_due" };
  const until = now.getTime() - Math.min(MAX_SETTLING_MS, ports.maintenanceIntervalMs);
  // From where the last one got to, when that is longer ago than usual.
  const since = Math.min(until - LOOK_BACK_MS, last ? seenUntil(last).getTime() : until);
  return startOrderImport(ports, {
    shop,
    askedBy: "schedule",
    since: new Date(since),
    until: new Date(until),
  });
}

/** How far a walk has seen everything: one that was stopped, no further than the last order it came to. */
function seenUntil({ state, since, until, reached }: OrderImport): Date {
  return state === "done" ? until : (reached ?? since);
}
