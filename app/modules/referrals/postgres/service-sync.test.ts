import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { START } from "../../../../test/database/clock.ts";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { installedShop } from "../../../../test/database/seed.ts";
import type { ShopDomain } from "../../kernel/ids.ts";
import { FINISHED_STATUSES } from "../status.ts";
import type { ComparedEntry, ServiceSyncRepository } from "../sync-walk.ts";

const db = await openTestDatabase();
const DAY_MS = 86_400_000;
let shop: ShopDomain;
let orders = 0;

beforeEach(async () => {
  shop = await installedShop(db);
});

const inSync = <T>(work: (sync: ServiceSyncRepository) => Promise<T>, of = shop) =>
  db.tenancy.inShop(of, (tenant) => work(tenant.serviceSync));
const daysAgo = (days: number) => new Date(START.getTime() - days * DAY_MS);

interface Stored {
  of?: ShopDomain;
  environment?: string;
  status?: string;
  created?: Date;
  updated?: Date;
  deleted?: boolean;
  redacted?: boolean;
  result?: "partial" | "in_review" | "whole";
}

/** A referral as stored, and the entry of the service's list that says the same. */
async function stored(fields: Stored = {}): Promise<ComparedEntry> {
  const { of = shop, environment = "staging", status = "ISSUED", created = START } = fields;
  const { updated = created, result } = fields;
  const [uuid, request] = [randomUUID(), randomUUID()];
  await db.pool.query(
    `INSERT INTO referral_requests (shop, id, environment, order_id, line_item_id, unit,
       reference_number, title, state, redacted_at, updated_at)
     VALUES ($1, $2, $3, $4, 'gid://shopify/LineItem/1', 1, $4, 'Iron studies', 'created', $5, now())`,
    [of, request, environment, `gid://shopify/Order/${++orders}`, fields.redacted ? START : null],
  );
  await db.pool.query(
    `INSERT INTO referrals (shop, uuid, environment, request_id, status, reference, origin,
       snapshot_sealed, service_created_at, service_updated_at, deleted_at, fetched_at)
     VALUES ($1, $2, $3, $4, $5, 'R', 'STORE_INTEGRATION', '\\x00', $6, $7, $8, now())`,
    [of, uuid, environment, request, status, created, updated, fields.deleted ? START : null],
  );
  if (result)
    await db.pool.query(
      `INSERT INTO results (shop, uuid, environment, request_id, referral_uuid, status, partial,
         in_review, snapshot_sealed, service_updated_at, fetched_at)
       VALUES ($1, $2, $3, $4, $5, 'F', $6, $7, '\\x00', $8, now())`,
      [
        of,
        randomUUID(),
        environment,
        request,
        uuid,
        result === "partial",
        result === "in_review",
        updated,
      ],
    );
  const isDeleted = fields.deleted ?? false;
  return { uuid, createdAt: created.getTime(), updatedAt: updated.getTime(), isDeleted };
}

describe("what a list says and is not stored", () => {
  const differing = (entries: ComparedEntry[]) =>
    inSync((sync) => sync.differing("referrals", entries, START));
  const unknown = (createdAt: Date): ComparedEntry => ({
    uuid: randomUUID(),
    createdAt: createdAt.getTime(),
    updatedAt: createdAt.getTime(),
    isDeleted: false,
  });

  test("is nothing when all is stored, as it is or later", async () => {
    const entries = [await stored(), await stored({ created: daysAgo(2), updated: daysAgo(1) })];
    expect(await differing(entries)).toEqual([]);
    expect(
      await differing(entries.map((one) => ({ ...one, updatedAt: one.updatedAt - 1 }))),
    ).toEqual([]);
  });

  test("is a later change by a millisecond, a deletion, and what nobody has stored", async () => {
    const [same, later, deleted] = [await stored(), await stored(), await stored()];
    const stranger = unknown(START);
    const entries = [
      same,
      { ...later, updatedAt: later.updatedAt + 1 },
      { ...deleted, isDeleted: true },
      stranger,
    ];
    const found = await differing(entries);
    expect(new Map(found.map((one) => [one.uuid, one.isKnown]))).toEqual(
      new Map([
        [later.uuid, true],
        [deleted.uuid, true],
        [stranger.uuid, false],
      ]),
    );
  });

  test("is a deleted result, until that is stored", async () => {
    const referral = await stored({ result: "whole" });
    const { rows } = await db.pool.query<{ uuid: string }>(
      "SELECT uuid FROM results WHERE referral_uuid = $1",
      [referral.uuid],
    );
    const [{ uuid }] = rows as [{ uuid: string }];
    const listed = (sync: ServiceSyncRepository) =>
      sync.differing("results", [{ ...referral, uuid, isDeleted: true }], START);
    expect(await inSync(listed)).toEqual([{ uuid, isKnown: true }]);
    await db.pool.query("UPDATE results SET deleted_at = now() WHERE uuid = $1", [uuid]);
    expect(await inSync(listed)).toEqual([]);
  });

  test("is not a deletion that is stored", async () => {
    expect(await differing([await stored({ deleted: true })])).toEqual([]);
  });

  test("is not what is stored under another time of creation", async () => {
    const entry = await stored({ created: daysAgo(9), updated: START });
    expect(await differing([{ ...entry, createdAt: START.getTime() }])).toEqual([]);
  });

  test("compares the whole list past one entry out of its time", async () => {
    const others = await Promise.all(
      Array.from({ length: 9 }, (_, n) => stored({ created: daysAgo(n) })),
    );
    const stranger = unknown(daysAgo(900));
    const [first] = others;
    if (!first) throw new Error("nothing stored");
    expect(await differing([first, stranger])).toEqual([{ uuid: stranger.uuid, isKnown: false }]);
  });

  test("is what only another shop has stored", async () => {
    const entry = await stored({ of: await installedShop(db) });
    expect(await differing([entry])).toEqual([{ uuid: entry.uuid, isKnown: false }]);
  });
});

describe("the oldest referral that may still change", () => {
  const oldest = () => inSync((sync) => sync.oldestOpen("staging"));

  test("is nobody's, of another environment, finished, deleted or redacted: none", async () => {
    await stored({ of: await installedShop(db) });
    await stored({ environment: "production" });
    for (const status of FINISHED_STATUSES) await stored({ status });
    await stored({ deleted: true });
    await stored({ redacted: true });
    await stored({ status: "COMPLETE", result: "whole" });
    await stored({ status: "COMPLETE", result: "partial", redacted: true });
    expect(await oldest()).toBeNull();
  });

  test("may be of a status that nobody knows", async () => {
    await stored({ status: "SOMETHING_NEW", created: daysAgo(3) });
    await stored({ created: daysAgo(2) });
    expect(await oldest()).toEqual(daysAgo(3));
  });

  test.each(["partial", "in_review"] as const)(
    "may be complete with a result %s",
    async (result) => {
      await stored({ created: daysAgo(2) });
      await stored({ status: "COMPLETE", created: daysAgo(5), result });
      expect(await oldest()).toEqual(daysAgo(5));
      await stored({ created: daysAgo(8) });
      expect(await oldest()).toEqual(daysAgo(8));
    },
  );

  test("is found by an index that holds the same statuses", async () => {
    const { rows } = await db.pool.query<{ condition: string }>(
      `SELECT pg_get_expr(indpred, indrelid) AS condition FROM pg_index
       WHERE indexrelid = 'referrals_open'::regclass`,
    );
    const named = rows[0]?.condition.match(/'[A-Z_]+'/g) ?? [];
    expect(named).toEqual(FINISHED_STATUSES.map((status) => `'${status}'`));
  });
});
