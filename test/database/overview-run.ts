import { randomUUID } from "node:crypto";
import { gid, type ShopDomain } from "../../app/modules/kernel/ids.ts";
import { updateStanding } from "../../app/modules/referrals/apply.ts";
import type { RequestState } from "../../app/modules/referrals/request.ts";
import type { ReviewReason } from "../../app/modules/referrals/review-reason.ts";
import type { OrderQuery } from "../../app/modules/reports/order-selection.ts";
import type { Tenant } from "../../app/modules/reports/tenant.ts";
import { START } from "./clock.ts";
import type { TestDatabase } from "./database.ts";
import { installedShop, orderLine, storeOrder } from "./seed.ts";

/** What an order has one request of. */
export interface Kind {
  state: RequestState;
  reviewReason?: ReviewReason;
  referrals?: { status: string; deleted?: boolean; replaced?: boolean }[];
  result?: { released: boolean; inReview: boolean };
  /** Ordered again. */
  replaced?: boolean;
}

export const OTHER = randomUUID();
export const FAILED: ReviewReason = { code: "referral", detail: "FAILED_TEST" };

export const DAY_MS = 86_400_000;
export const orderId = (number: number) => gid("Order", number);

export const query = (change: Partial<OrderQuery> = {}): OrderQuery => ({
  filter: "all",
  orderMode: null,
  paidFrom: null,
  paidUntil: null,
  sort: "newest",
  search: "",
  start: null,
  size: 25,
  ...change,
});
export const COMPLETE = [{ status: "COMPLETE" }];

/** Fills the overview of a shop. `start` gives each test a shop of its own. */
export function overviewRun(db: TestDatabase) {
  let shop: ShopDomain;
  const start = async (): Promise<ShopDomain> => {
    shop = await installedShop(db);
    return shop;
  };
  const inShop = <T>(work: (tenant: Tenant) => Promise<T>) => db.tenancy.inShop(shop, work);

  /** An order with one request of each kind, paid so many days before START. */
  async function order(
    number: number,
    kinds: Kind[],
    { daysAgo = 0, of = shop, test = false } = {},
  ) {
    const processedAt = new Date(START.getTime() - daysAgo * DAY_MS);
    await db.tenancy.inShop(of, async (tenant) => {
      const lines = [orderLine({ quantity: Math.max(1, kinds.length) })];
      const id = orderId(number);
      const read = storeOrder({ id, name: `#${number}`, processedAt, lines, test });
      await tenant.orders.record(read, new Map([[gid("LineItem", 1), "mapped"]]), START);
    });
    const ids: string[] = [];
    for (const [index, kind] of kinds.entries())
      ids.push(await request(number, index + 1, kind, of));
    return ids;
  }

  async function request(
    number: number,
    unit: number,
    kind: Kind,
    of: ShopDomain,
  ): Promise<string> {
    const id = randomUUID();
    await db.pool.query(
      `INSERT INTO referral_requests (shop, id, environment, order_id, line_item_id, unit,
         reference_number, title, state, review_code, review_detail, replaced_by, updated_at)
       VALUES ($1, $2, 'staging', $3, $4, $5, $6, 'Iron studies', $7, $8, $9, $10, now())`,
      [
        of,
        id,
        orderId(number),
        gid("LineItem", 1),
        unit,
        `R${number}-${unit}`,
        kind.state,
        kind.reviewReason?.code,
        kind.reviewReason?.detail,
        kind.replaced ? OTHER : null,
      ],
    );
    for (const { status, deleted, replaced } of kind.referrals ?? [])
      await db.pool.query(
        `INSERT INTO referrals (shop, uuid, environment, request_id, status, reference, origin,
           snapshot_sealed, service_created_at, service_updated_at, deleted_at, replaced_by, fetched_at)
         VALUES ($1, $2, 'staging', $3, $4, '12345678', 'API', '', now(), now(), $5, $6, now())`,
        [of, randomUUID(), id, status, deleted ? START : null, replaced ? OTHER : null],
      );
    if (kind.result)
      await db.pool.query(
        `INSERT INTO results (shop, uuid, environment, request_id, referral_uuid, status, partial,
           in_review, released_at, snapshot_sealed, service_updated_at, fetched_at)
         VALUES ($1, $2, 'staging', $3, $4, 'COMPLETE', false, $5, $6, '', now(), now())`,
        [
          of,
          randomUUID(),
          id,
          randomUUID(),
          kind.result.inReview,
          kind.result.released ? START : null,
        ],
      );
    await db.tenancy.inShop(of, async (tenant) => {
      await tenant.requests.followOrders([id]);
      await updateStanding(tenant, id);
    });
    return id;
  }

  const page = (change: Partial<OrderQuery> = {}) =>
    inShop((tenant) => tenant.overview.orderPage(query(change)));
  const namesOn = async (change: Partial<OrderQuery> = {}) =>
    (await page(change)).orders.map((one) => one.name);

  return { start, inShop, order, page, namesOn };
}
