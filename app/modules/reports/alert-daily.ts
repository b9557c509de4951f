import type { ShopDomain } from "../kernel/ids.ts";
import { MAX_COUNTED } from "../shops/alert-facts.ts";
import { findInstalled } from "../shops/find-installed.ts";
import { noteAlert } from "../shops/note-alert.ts";
import type { Ports } from "./ports.ts";

type DailyOutcome = "told" | "nothing_to_tell";

/**
 * Notes the summary of a day for whoever wants it, in the morning after it by the store's own clock. Nothing is told of a day
 * on which nothing happened, nor on another day than the next.
 */
export async function alertDaily(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  { shop, day }: { shop: ShopDomain; day: string },
): Promise<DailyOutcome> {
  return tenancy.inShop(shop, async (tenant) => {
    const settings = await findInstalled(tenant);
    if (!settings) return "nothing_to_tell";
    const at = clock.now();
    const { timeZone } = settings;
    // The store may have told another time zone since the job was made.
    const before = new Date(at.getTime() - SHORTEST_DAY_MS);
    const morning = await tenant.alerts.nextMorning(before, timeZone);
    if (morning.day !== day || morning.at > at) return "nothing_to_tell";
    const counts = await tenant.overview.countsOfDay(day, timeZone);
    if (Object.values(counts).every((count) => count === 0)) return "nothing_to_tell";
    const stages = await tenant.overview.stageCounts(MAX_COUNTED);
    const facts = {
      ...{ kind: "daily" as const, day, ...counts },
      ...{ awaitingDetails: stages.awaiting_details, attention: stages.attention },
    };
    const noted = await noteAlert(tenant, settings, { occurrence: day, facts, at });
    return noted > 0 ? "told" : "nothing_to_tell";
  });
}

/** From one 8:00 to the next when the clocks go forward. */
const SHORTEST_DAY_MS = 23 * 3_600_000;
