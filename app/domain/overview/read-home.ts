import type { Connection, Environment } from "../connections/connection.ts";
import type { ShopDomain } from "../ids.ts";
import type { Ports } from "../ports.ts";
import type { BulkReorder } from "../requests/bulk-reorder.ts";
import type { AttentionItem, DayOfRequests } from "./overview-repository.ts";
import { type Stage, stageRecord } from "./stage.ts";

/** Days are told in this time zone until the shop's own is read from Shopify. */
const TIME_ZONE = "Australia/Sydney";
const DAYS = 14;
const DAY_MS = 86_400_000;
const ATTENTION_SHOWN = 8;

export interface HomeOverview {
  environment: Environment;
  /** Where new orders go. */
  connection: Connection | null;
  setup: { isConnected: boolean; hasEvents: boolean; hasMapping: boolean; hasReferral: boolean };
  /** Tests in each stage; under `attention`, orders that need a person, as the list behind it shows. */
  counts: Record<Stage, number>;
  /** The last days up to today, each with every stage. */
  days: { day: string; counts: Record<Stage, number> }[];
  attention: AttentionItem[];
  hasMoreAttention: boolean;
  /** Tests whose billing failed, and how far ordering them again is. */
  billing: { failed: number; bulk: BulkReorder | null };
}

/** What a merchant wants to know at a glance: does it work, where do things stand, what is to be done. */
export async function readHome(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  shop: ShopDomain,
): Promise<HomeOverview> {
  const now = clock.now();
  return tenancy.inShop(shop, async (tenant) => {
    const environment = (await tenant.shops.find())?.environment ?? "staging";
    const connection = await tenant.connections.find(environment);
    const attentionCount = await tenant.overview.ordersInNeed();
    const counts = { ...(await tenant.overview.stageCounts()), attention: attentionCount };
    const since = new Date(now.getTime() - DAYS * DAY_MS);
    const found = await tenant.overview.requestsByDay(since, TIME_ZONE);
    const attention = await tenant.overview.attention(ATTENTION_SHOWN + 1);
    const billing = {
      failed: await tenant.referrals.countBillingFailed(),
      bulk: await tenant.bulkReorders.latest(),
    };
    const setup = await tenant.overview.setup(environment);
    return {
      environment,
      connection,
      setup: {
        isConnected: connection?.lastTestOutcome === "ok",
        hasEvents: connection?.lastEventAt != null,
        ...setup,
      },
      counts,
      billing,
      days: lastDays(now).map((day) => ({ day, counts: countsOf(found, day) })),
      attention: attention.slice(0, ATTENTION_SHOWN),
      hasMoreAttention: attention.length > ATTENTION_SHOWN,
    };
  });
}

function countsOf(found: DayOfRequests[], day: string): Record<Stage, number> {
  const of = (stage: Stage) =>
    found.find((row) => row.day === day && row.stage === stage)?.count ?? 0;
  return stageRecord(of);
}

/** YYYY-MM-DD of the last days, oldest first. Counted from noon, so that no change of the clocks skips one. */
function lastDays(now: Date): string[] {
  const today = new Intl.DateTimeFormat("en-CA", { timeZone: TIME_ZONE }).format(now);
  const noon = Date.parse(`${today}T12:00:00Z`);
  return Array.from({ length: DAYS }, (_, index) =>
    new Date(noon - (DAYS - 1 - index) * DAY_MS).toISOString().slice(0, 10),
  );
}
