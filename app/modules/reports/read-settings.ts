import type { ShopDomain } from "../kernel/ids.ts";
import { type PreflightCheck, readPreflight } from "../lifecycle/preflight.ts";
import { type FailingCalls, readFailingCalls } from "../lifecycle/read-failing.ts";
import { type CollectionNotice, collectionNotice } from "../patients/collection-notice.ts";
import type { SeenUnreadable } from "../referrals/unreadable-entry.ts";
import { type AlertReader, readersOf } from "../shops/alert.ts";
import type { Connection } from "../shops/connection.ts";
import type {
  AcceptedTexts,
  NoticeDetails,
  ReminderPolicy,
  Shop,
  ShopSettings,
} from "../shops/shop.ts";
import { DELIVERIES_SHOWN, type Delivery } from "./delivery.ts";
import type { Ports } from "./ports.ts";
import { type RefusedEvents, readRefusedEvents } from "./read-refused-events.ts";
import type { Tenant } from "./tenant.ts";

export interface SettingsOverview {
  reminders: ReminderPolicy;
  notice: NoticeDetails;
  /** What the collection notice says now to somebody who bought a test. */
  noticeText: CollectionNotice;
  policies: ShopSettings & { emailByService: boolean };
  clinicalTexts: AcceptedTexts | null;
  /** What real orders need, while they go to staging; null once the shop is live, or while production is not connected. */
  preflight: PreflightCheck[] | null;
  /** Refunded units whose referrals wait for a decision. */
  refundsWaiting: number;
  /** The permissions that the merchant has given the app in Shopify, comma separated. */
  scope: string;
  /** Where customers with a legacy account find their tests; null where Shopify shows them in its own. */
  accountPageUrl: string | null;
  /** Whom alerts are emailed to, the shop's contact address first; `isRefused`: the address refused the last one. */
  alerts: (AlertReader & { isRefused: boolean })[];
  /** The reviewer's address refused the last email. */
  isReviewerRefused: boolean;
  /** The last events that came to the webhook addresses, and those that were refused. */
  deliveries: Delivery[];
  /** Each with the entries of the service's lists that could not be read, with the events that were not believed, and the tests that wait for it. */
  connections: (Connection &
    RefusedEvents & { failingCalls: FailingCalls | null; unreadable: SeenUnreadable[] })[];
}

/** Reads the settings page's values. Secrets are not part of them. */
export async function readSettings(
  ports: Pick<Ports, "tenancy" | "emailByService" | "clock"> &
    Partial<Pick<Ports, "accountPageUrl">>,
  shop: ShopDomain,
): Promise<SettingsOverview> {
  return ports.tenancy.inShop(shop, async (tenant) => {
    const found = await tenant.shops.find();
    if (!found) throw new Error("A signed-in shop has no row of its own");
    const {
      environment,
      holdOrders,
      holdHighRisk,
      strictMode,
      minimumAge,
      releasePolicy,
      refundPolicy,
    } = found;
    const { emailByService, markFulfilled, tagOrders, startFlows, scope } = found;
    const { reviewer, clinicalContact, help, collectionFinder } = found;
    const { releaseAfterHours, clinicalTexts } = found;
    return {
      policies: {
        environment,
        holdOrders,
        holdHighRisk,
        strictMode,
        minimumAge,
        releasePolicy,
        reviewer,
        clinicalContact,
        help,
        collectionFinder,
        releaseAfterHours,
        refundPolicy,
        emailByService: emailByService ?? ports.emailByService,
        markFulfilled,
        tagOrders,
        startFlows,
      },
      clinicalTexts,
      preflight: environment === "production" ? null : await readPreflight(tenant, found),
      refundsWaiting: await tenant.requests.countRefundsToDecide(),
      scope,
      accountPageUrl:
        found.customerAccounts === "legacy" ? (ports.accountPageUrl?.(shop) ?? null) : null,
      notice: found.notice,
      noticeText: collectionNotice({ ...found, shopName: found.name, owner: "buyer" }),
      reminders: { reminderDays: found.reminderDays, detailsEndDays: found.detailsEndDays },
      alerts: await readAlerts(tenant, found),
      isReviewerRefused:
        reviewer !== null && (await tenant.alerts.refusedBy([reviewer.email])).length > 0,
      deliveries: await tenant.overview.deliveries(DELIVERIES_SHOWN),
      connections: await Promise.all(
        (await tenant.connections.all()).map(async (connection) => {
          const { environment } = connection;
          const now = ports.clock.now();
          return {
            ...connection,
            failingCalls: await readFailingCalls(tenant, connection),
            ...(await readRefusedEvents(tenant, environment, { connection, now })),
            unreadable: await tenant.unreadable.list(environment, now),
          };
        }),
      ),
    };
  });
}

async function readAlerts(
  { alerts }: Tenant,
  shop: Pick<Shop, "contactEmail">,
): Promise<SettingsOverview["alerts"]> {
  const readers = readersOf(shop, await alerts.recipients());
  const refused = await alerts.refusedBy(readers.flatMap(({ address }) => address ?? []));
  return readers.map((one) => ({
    ...one,
    isRefused: one.address !== null && refused.includes(one.address),
  }));
}
