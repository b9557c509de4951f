import { calendarDay, TIME_ZONE } from "../../platform/calendar-day.ts";
import { countBroken } from "../catalogue/broken-mappings.ts";
import type { Cost } from "../catalogue/cost.ts";
import type { BatchCounts } from "../kernel/batch.ts";
import type { ShopDomain } from "../kernel/ids.ts";
import type { RefusedMessages } from "../kernel/inbox.ts";
import { type FailingCalls, readFailingCalls } from "../lifecycle/read-failing.ts";
import { reasonKey } from "../referrals/review-reason.ts";
import { type Stage, stageRecord } from "../referrals/stage.ts";
import type { UnitKey, UnitNumber } from "../referrals/unit-number.ts";
import { type Connection, type Environment, isConnected } from "../shops/connection.ts";
import type { CustomerAccounts } from "../shops/shop.ts";
import { storeDoubt } from "../shops/store-doubt.ts";
import type { AttentionItem } from "./attention-item.ts";
import {
  COUNT_LIMIT,
  type DayOfRequests,
  type OverdueResults,
  type UnheardAlert,
} from "./home-figures.ts";
import { readOverdue } from "./overview/overdue-results.ts";
import { readUnheard } from "./overview/unheard-alerts.ts";
import type { Ports } from "./ports.ts";
import { pricesOf } from "./price-requests.ts";
import { numbersOf, readToday } from "./read-orders.ts";
import { readRefusedEvents } from "./read-refused-events.ts";
import { readSelection } from "./selection-text.ts";
import type { Tenant } from "./tenant.ts";

const DAYS = 14;
const DAY_MS = 86_400_000;
const ATTENTION_SHOWN = 5;

export interface HomeOverview {
  environment: Environment;
  accounts: CustomerAccounts;
  /** Where new orders go. */
  connection: Connection | null;
  setup: {
    isConnected: boolean;
    /** An event of the service came that was correctly signed: Pathway's own test is none. */
    hasEvents: boolean;
    /** Something is mapped, and nothing that is on sale is broken. */
    hasMapping: boolean;
    /** A simulation came to its end without a failure. */
    hasSimulated: boolean;
    /** The merchant has chosen how long data is kept. */
    isRetentionChosen: boolean;
    isLive: boolean;
    isDismissed: boolean;
  };
  /** The store had the app under another name, and its orders are held because of that. */
  hasOtherName: boolean;
  /** Variants on sale that can't be ordered as they are mapped. */
  brokenMappings: number;
  /** Orders with a test in each stage, as the list behind each says; COUNT_LIMIT + 1 means more. */
  counts: Record<Stage, number>;
  /** First what cannot wait until tomorrow, then the newest. */
  attention: AttentionItem[];
  /** The number of a test of these orders among all of its order. */
  numberOf: (unit: UnitKey) => UnitNumber;
  hasMoreAttention: boolean;
  /** The news that nobody is emailed about. */
  unheard: UnheardAlert[];
  /** Entries of the service's lists that could not be read in the last days. */
  unreadableEntries: number;
  /** Messages in the store's name that were not acted on in the last 24 hours. */
  refusedMessages: RefusedMessages;
  /** Calls to the service that fail, or orders alone. */
  failing: FailingCalls | null;
  /** Events with a wrong signature that came to the connection's address in the last 24 hours. */
  refusedEvents: number;
  /** None was believed since others were refused. */
  areEventsFailing: boolean;
  /** Tests whose billing failed, and how far ordering them again is. */
  billing: {
    failed: number;
    /** The cost of each when it is ordered again, for the first MAX_PRICED. */
    costs: (Cost | null)[];
    /** The same tests by their names. */
    titles: string[];
    running: BatchCounts | null;
  };
}

/** Answers a merchant at a glance: does it work, where do things stand, what is to be done. */
export async function readHome(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  shop: ShopDomain,
): Promise<HomeOverview> {
  const now = clock.now();
  const yesterday = new Date(now.getTime() - DAY_MS);
  return tenancy.inShop(shop, async (tenant) => {
    const settings = await tenant.shops.find();
    const environment = settings?.environment ?? "staging";
    const connection = await tenant.connections.find(environment);
    const counts = await tenant.overview.stageCounts(COUNT_LIMIT);
    const needy = await tenant.overview.orderPage({
      ...readSelection("status=attention"),
      start: null,
      size: ATTENTION_SHOWN,
    });
    // Results come long after the payment: among the newest orders, what cannot wait would not be seen.
    const today = await readToday(tenant, ATTENTION_SHOWN);
    const newest = await tenant.overview.attentionOf(needy.orders.map((one) => one.orderId));
    const isTold = ({ orderId, reason }: AttentionItem) =>
      today.some((one) => one.orderId === orderId && reasonKey(one.reason) === reasonKey(reason));
    const attention = [...today, ...newest.filter((item) => !isTold(item))];
    const shown = attention.slice(0, ATTENTION_SHOWN);
    const reorder = await tenant.batches.latest("reorder");
    const billing = {
      failed: await tenant.referrals.countBillingFailed(),
      ...(await readBillingFailed(tenant)),
      running: reorder?.state === "running" ? await tenant.batches.countsOf(reorder.id) : null,
    };
    const setup = await tenant.overview.setup(environment);
    const isDismissed = settings?.setupDismissedAt != null;
    const brokenMappings = await countBroken(tenant, environment);
    return {
      environment,
      brokenMappings,
      // Staff of another store never come so far.
      hasOtherName: (await storeDoubt(tenant)) === "store_has_other_name",
      accounts: settings?.customerAccounts ?? "new",
      connection,
      setup: {
        isConnected: connection !== null && isConnected(connection),
        hasEvents: connection?.signedEventAt != null,
        isRetentionChosen: settings?.retentionChosenAt != null,
        isLive: environment === "production",
        isDismissed,
        ...setup,
        hasMapping: setup.hasMapping && brokenMappings === 0,
      },
      counts,
      unheard: settings ? await readUnheard(tenant, { settings, connection, now }) : [],
      unreadableEntries: (await tenant.unreadable.list(environment, now)).length,
      failing: connection && (await readFailingCalls(tenant, connection)),
      ...(await readRefusedEvents(tenant, environment, { connection, now })),
      refusedMessages: await tenant.inbox.refusedSince(yesterday),
      billing,
      attention: shown,
      numberOf: await numbersOf(tenant, shown),
      hasMoreAttention: needy.next !== null || attention.length > ATTENTION_SHOWN,
    };
  });
}

/** More are not added up: a page that is long in coming helps nobody to decide. */
const MAX_PRICED = 100;

async function readBillingFailed(
  tenant: Tenant,
): Promise<{ costs: (Cost | null)[]; titles: string[] }> {
  const ids = await tenant.referrals.billingFailed({ after: null, limit: MAX_PRICED });
  const prices = await pricesOf(tenant, ids);
  const requests = prices.size > 0 ? await tenant.requests.some([...prices.keys()]) : [];
  return { costs: [...prices.values()], titles: requests.map(({ title }) => title) };
}

export interface HomeTrends {
  /** The last days up to today, each with every stage. */
  days: { day: string; counts: Record<Stage, number> }[];
  overdue: OverdueResults;
}

/** Reads the part of home beneath the fold, which costs more to find out. */
export async function readTrends(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  shop: ShopDomain,
): Promise<HomeTrends> {
  const now = clock.now();
  const since = new Date(now.getTime() - DAYS * DAY_MS);
  return tenancy.inShop(shop, async (tenant) => {
    const settings = await tenant.shops.find();
    const timeZone = settings?.timeZone ?? TIME_ZONE;
    const found = await tenant.overview.requestsByDay(since, timeZone);
    return {
      days: lastDays(now, timeZone).map((day) => ({ day, counts: countsOf(found, day) })),
      overdue: await readOverdue(tenant, { environment: settings?.environment ?? "staging", now }),
    };
  });
}

/** Takes the setup guide off the home page, or puts it back. */
export async function dismissSetup(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  { shop, isDismissed }: { shop: ShopDomain; isDismissed: boolean },
): Promise<void> {
  const at = isDismissed ? clock.now() : null;
  await tenancy.inShop(shop, (tenant) => tenant.shops.dismissSetup(at));
}

function countsOf(found: DayOfRequests[], day: string): Record<Stage, number> {
  const of = (stage: Stage) =>
    found.find((row) => row.day === day && row.stage === stage)?.count ?? 0;
  return stageRecord(of);
}

/** YYYY-MM-DD of the last days, oldest first. Counted from noon, so that no change of the clocks skips one. */
function lastDays(now: Date, timeZone: string): string[] {
  const today = calendarDay(now, timeZone);
  const noon = Date.parse(`${today}T12:00:00Z`);
  return Array.from({ length: DAYS }, (_, index) =>
    new Date(noon - (DAYS - 1 - index) * DAY_MS).toISOString().slice(0, 10),
  );
}
