import type { ShopDomain } from "../kernel/ids.ts";
import { FINDING_REASONS } from "../referrals/urgency.ts";
import { findInstalled } from "../shops/find-installed.ts";
import { noteAlert } from "../shops/note-alert.ts";
import type { Ports } from "./ports.ts";

/** Orders that come to need a person are told together, at most once in so long. */
export const ATTENTION_EVERY_MS = 3_600_000;

/** Orders that one email counts; the next turn takes the others. */
const MAX_TAKEN = 1_000;
/** Order numbers that an email lists. */
const MAX_LISTED = 20;

type AttentionOutcome = "told" | "nothing_to_tell";

/**
 * Notes an email about the orders that came to need a person since the last one and still do. An order whose result is why
 * is left out: an email about it would say that something was found, and its reviewer is told.
 */
export async function alertAttention(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  { shop }: { shop: ShopDomain },
): Promise<AttentionOutcome> {
  return tenancy.inShop(shop, async (tenant) => {
    const settings = await findInstalled(tenant);
    if (!settings) return "nothing_to_tell";
    const at = clock.now();
    const last = await tenant.alerts.lastNotedAt("attention", at);
    if (last && at.getTime() - last.getTime() < ATTENTION_EVERY_MS) return "nothing_to_tell";
    const taken = await tenant.alerts.takeAttention(MAX_TAKEN);
    const items = await tenant.overview.attentionOf(taken);
    const told = items.filter(({ reason }) => !FINDING_REASONS.has(reason.code));
    const names = [...new Set(told.map(({ orderName }) => orderName))];
    if (names.length === 0) return "nothing_to_tell";
    const facts = {
      ...{ kind: "attention" as const, orders: names.slice(0, MAX_LISTED), count: names.length },
    };
    const noted = await noteAlert(tenant, settings, { occurrence: at.toISOString(), facts, at });
    return noted > 0 ? "told" : "nothing_to_tell";
  });
}
