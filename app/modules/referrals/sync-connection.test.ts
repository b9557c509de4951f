/** Long because one reconciliation is tried against every way in which a list can change under it. */
import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import { type Ledger, startLedger } from "../../../test/database/ledger.ts";
import { connect, readyRequest } from "../../../test/database/seed.ts";
import { referralsOn } from "../../clients/referral-service/listed-page.ts";
import { wireReferral } from "../../clients/referral-service/testing/wire-samples.ts";
import { createReferral } from "./create-referral.ts";
import type { ReferralService } from "./referral-service.ts";
import { refetchWhenDue } from "./refetch-when-due.ts";
import { settledAfterMs } from "./resume-after-restore.ts";
import { syncConnection } from "./sync-connection.ts";

const db = await openTestDatabase();
let ledger: Ledger;
let asked: string[];

/** Builds the client's answer for a page. */
const page = <T>(entries: T[], next: string | null = null) => ({
  likelyNext: next,
  read: () => ({ entries, unreadable: [], next }),
});

beforeEach(async () => {
  ledger = await startLedger(db);
  await connect(db, ledger.shop);
  asked = [];
});

/** The ledger's service, noting which pages are asked for. */
const ports = (change: Partial<ReferralService> = {}) => ({
  ...ledger.ports,
  services: {
    async forConnection(...of: Parameters<Ledger["ports"]["services"]["forConnection"]>) {
      const real = await ledger.ports.services.forConnection(...of);
      if (!real) return null;
      return {
        ...real,
        referralPage(cursor: string | null) {
          asked.push(`referrals ${cursor ?? ""}`);
          return real.referralPage(cursor);
        },
        // The small service has no results.
        async resultPage(cursor: string | null) {
          asked.push(`results ${cursor ?? ""}`);
          return page([]);
        },
        ...change,
      };
    },
  },
});
const sync = (change?: Partial<ReferralService>) =>
  syncConnection(ports(change), { shop: ledger.shop, environment: "staging" });
const health = () =>
  db.tenancy.inShop(ledger.shop, async (tenant) => {
    const { syncedThrough, syncPages, eventsRepaired } =
      (await tenant.connections.find("staging")) ?? {};
    return { syncedThrough, syncPages, eventsRepaired };
  });

/** One referral of ours, and so many of others behind it in the service's list. */
async function oursBefore(others: number): Promise<void> {
  const { shop, clock, service } = ledger;
  const requestId = await readyRequest(db, shop);
  await createReferral(ledger.ports, { shop, requestId });
  const at = clock.now().toISOString();
  for (let at_ = 0; at_ < others; at_++)
    service.referrals.push(
      wireReferral({ uuid: randomUUID(), createdAt: at, updatedAt: at, referenceNumber: null }),
    );
  await ledger.takeJobs();
}

test("a change that no event told is found, counted and queued; what is known is not", async () => {
  await oursBefore(30);
  expect(await sync()).toEqual({ kind: "synced", seen: 31, repaired: 0 });
  expect(asked).toEqual(["referrals ", "referrals 20", "results "]);
  ledger.clock.advance(60_000);
  for (const referral of ledger.service.referrals)
    referral.updatedAt = ledger.clock.now().toISOString();
  ledger.clock.advance(60_000);
  expect(await sync()).toMatchObject({ repaired: 1 });
  expect(await ledger.takeJobs()).toEqual(["refetch-referral"]);
  expect(await health()).toEqual({
    syncedThrough: ledger.clock.now(),
    syncPages: null,
    eventsRepaired: 1,
  });
});

test("a change of a moment ago is fetched, and not counted: its event may be under way", async () => {
  await oursBefore(0);
  ledger.clock.advance(60_000);
  const [own] = ledger.service.referrals;
  Object.assign(own ?? {}, { updatedAt: ledger.clock.now().toISOString() });
  ledger.clock.advance(5_000);
  expect(await sync()).toMatchObject({ repaired: 1 });
  expect(await ledger.takeJobs()).toEqual(["refetch-referral"]);
  expect(await health()).toMatchObject({ eventsRepaired: 0 });
  ledger.clock.advance(60_000);
  expect(await sync()).toMatchObject({ repaired: 1 });
  expect(await health()).toMatchObject({ eventsRepaired: 1 });
});

test("a result that no event told is fetched when its referral is ours", async () => {
  await oursBefore(0);
  const referralUuid = String(ledger.service.referrals[0]?.uuid);
  const { resultSnapshot } = await import("../../../test/database/snapshots.ts");
  const updatedAt = ledger.clock.now().toISOString();
  const entries = [
    resultSnapshot({ referralUuid, createdAt: updatedAt, updatedAt }),
    resultSnapshot({ referralUuid: randomUUID(), createdAt: updatedAt, updatedAt }),
  ];
  const outcome = await sync({ resultPage: async () => page(entries) });
  expect(outcome).toMatchObject({ repaired: 1 });
  expect(await ledger.takeJobs()).toEqual(["refetch-result"]);
});

/** Referrals of others that are long known, each made a minute before the one in front of it. */
const knownGround = (count: number) =>
  Array.from({ length: count }, (_, at) => {
    const long = ledger.clock.now().getTime() - 30 * 86_400_000 - at * 60_000;
    const times = {
      createdAt: new Date(long).toISOString(),
      updatedAt: new Date(long).toISOString(),
    };
    return wireReferral({ ...times, uuid: randomUUID(), referenceNumber: null });
  });

test.each<[string, (older: Record<string, unknown>[]) => Record<string, unknown>[]]>([
  ["begins with its oldest", (older) => older.toReversed()],
  [
    "has others of one moment",
    (older) =>
      older.map((one) => ({
        ...one,
        createdAt: older[0]?.createdAt,
        updatedAt: older[0]?.updatedAt,
      })),
  ],
])("finds what no event told in a list that %s", async (_, sorted) => {
  await oursBefore(0);
  ledger.clock.advance(60_000);
  ledger.service.set(String(ledger.service.referrals[0]?.uuid), { status: "ISSUED" });
  ledger.service.referrals.unshift(...sorted(knownGround(40)));
  ledger.clock.advance(60_000);
  expect(await sync()).toMatchObject({ kind: "synced", repaired: 1 });
});

test("stops at known ground", async () => {
  await oursBefore(19);
  ledger.service.referrals.push(...knownGround(40));
  await sync();
  // The page after the last one of news shows where known ground begins; none is read beyond it.
  expect(asked.filter((one) => one.startsWith("referrals"))).toEqual([
    "referrals ",
    "referrals 20",
  ]);
});

test("a long walk asks for one page beyond known ground at most, and looks at none", async () => {
  await oursBefore(20 * 8 - 1);
  ledger.service.referrals.push(...knownGround(100));
  expect(await sync()).toMatchObject({ kind: "synced", seen: 160 });
  const pages = asked.filter((one) => one.startsWith("referrals"));
  expect(pages).toHaveLength(10);
});

test("a page that misleads about the next one costs a call, and nothing is read in its place", async () => {
  await oursBefore(20 * 10);
  const misled = (real: ReferralService) => ({
    async referralPage(cursor: string | null) {
      asked.push(`referrals ${cursor ?? ""}`);
      const unread = await real.referralPage(cursor);
      return cursor === "140" ? { ...unread, likelyNext: "20" } : unread;
    },
  });
  const real = await ledger.ports.services.forConnection(ledger.shop, "staging");
  if (!real) throw new Error("no service");
  expect(await sync(misled(real))).toMatchObject({ kind: "synced", seen: 201 });
  const pages = asked.filter((one) => one.startsWith("referrals"));
  expect(pages.filter((one) => one === "referrals 20")).toHaveLength(2);
  expect(new Set(pages).size).toBe(11);
});

test("a list whose cursors go in circles keeps no walk from the results", async () => {
  await oursBefore(0);
  const { referralSnapshot } = await import("../../../test/database/snapshots.ts");
  const at = ledger.clock.now().toISOString();
  const entry = referralSnapshot({ createdAt: at, updatedAt: at, referenceNumber: null });
  const circling: Partial<ReferralService> = {
    async referralPage(cursor) {
      asked.push(`referrals ${cursor ?? ""}`);
      if (asked.length > 50) throw new Error("the walk has no end");
      return { ...page([entry], cursor === "a" ? "b" : "a"), whole: () => entry };
    },
  };
  expect(await sync(circling)).toMatchObject({ kind: "synced" });
  expect(asked).toEqual(["referrals ", "referrals a", "referrals b", "results "]);
});

describe("a walk that is long", () => {
  const PAGES_PER_RUN = 600;
  const endless = {
    referralPage: async (cursor: string | null) => {
      asked.push(`referrals ${cursor ?? ""}`);
      ledger.clock.advance(60_000 / (PAGES_PER_RUN - 1));
      const at = ledger.clock.now().toISOString();
      const { referralSnapshot } = await import("../../../test/database/snapshots.ts");
      const entry = referralSnapshot({ createdAt: at, updatedAt: at, referenceNumber: null });
      const number = Number(cursor ?? 0) + 1;
      const next = number < PAGES_PER_RUN + 10 ? String(number) : null;
      return { ...page([entry], next), whole: () => entry };
    },
  };

  test("ends at a page boundary, and goes on there in the next job", async () => {
    await oursBefore(0);
    expect((await sync(endless)).kind).toBe("goes_on");
    expect(await health()).toMatchObject({ syncedThrough: null, syncPages: PAGES_PER_RUN });
    expect(await ledger.takeJobs()).toEqual(["sync-connection"]);
    expect(await sync(endless)).toMatchObject({ kind: "synced", seen: 10 });
    const pages = asked.filter((one) => one.startsWith("referrals"));
    expect(new Set(pages).size).toBe(pages.length);
    expect(await health()).toMatchObject({ syncPages: null });
  });

  test("is taken up where a run died", async () => {
    await oursBefore(50);
    const failing = {
      referralPage: async (cursor: string | null) => {
        if (cursor === "40") throw new Error("killed");
        const service = await ledger.ports.services.forConnection(ledger.shop, "staging");
        if (!service) throw new Error("no service");
        return service.referralPage(cursor);
      },
    };
    await expect(sync(failing)).rejects.toThrow("killed");
    expect(await health()).toMatchObject({ syncPages: 2 });
    asked = [];
    expect(await sync()).toMatchObject({ kind: "synced", seen: 11 });
    expect(asked).toEqual(["referrals 40", "results "]);
  });

  test("is walked by one run only: a page that another has noted ends this one", async () => {
    await oursBefore(50);
    let rival: Promise<unknown> | undefined;
    const overtaken = {
      referralPage: async (cursor: string | null) => {
        const service = await ledger.ports.services.forConnection(ledger.shop, "staging");
        if (!service) throw new Error("no service");
        const page = await service.referralPage(cursor);
        // While this page was under way, another run has read it, and died with the next.
        const dying = {
          referralPage: (next: string | null) =>
            next === cursor ? Promise.resolve(page) : Promise.reject(new Error("killed")),
        };
        rival ??= sync(dying).catch(() => {});
        await rival;
        return page;
      },
    };
    expect(await sync(overtaken)).toEqual({ kind: "superseded" });
    expect(await health()).toMatchObject({ syncPages: 1, syncedThrough: null });
  });

  test("begins anew when its cursor has become old", async () => {
    await oursBefore(50);
    const failing = { referralPage: () => Promise.reject(new Error("killed")) };
    await expect(sync(failing)).rejects.toThrow("killed");
    ledger.clock.advance(7 * 3_600_000);
    asked = [];
    await sync();
    expect(asked[0]).toBe("referrals ");
  });
});

test("after a restore, the list of one environment gives no referral to a test of the other", async () => {
  await oursBefore(0);
  const { shop, clock } = ledger;
  await db.pool.query("DELETE FROM referrals WHERE shop = $1", [shop]);
  await db.pool.query(
    "UPDATE referral_requests SET environment = 'production', state = 'ready' WHERE shop = $1",
    [shop],
  );
  await db.pool.query("UPDATE connections SET paused_at = $2, restore_point = $2 WHERE shop = $1", [
    shop,
    clock.now(),
  ]);
  expect(await sync()).toMatchObject({ kind: "synced", repaired: 0 });
  const linked = await db.pool.query("SELECT FROM referrals WHERE shop = $1", [shop]);
  expect(linked.rowCount).toBe(0);
});

describe("a listed referral that cannot be read", () => {
  const told = () =>
    db.tenancy.inShop(ledger.shop, async (tenant) =>
      (await tenant.unreadable.list("staging", ledger.clock.now())).map(({ uuid }) => uuid),
    );
  const pause = () =>
    db.pool.query("UPDATE connections SET paused_at = $2, restore_point = $2 WHERE shop = $1", [
      ledger.shop,
      ledger.clock.now(),
    ]);

  test("stops no walk, and is told of with its uuid", async () => {
    await oursBefore(2);
    const [, foreign] = ledger.service.referrals;
    Object.assign(foreign ?? {}, { updatedAt: "never" });
    expect(await sync()).toEqual({ kind: "synced", seen: 2, repaired: 0 });
    expect(await told()).toEqual([foreign?.uuid]);
    Object.assign(foreign ?? {}, { updatedAt: ledger.clock.now().toISOString() });
    await sync();
    expect(await told()).toEqual([]);
  });

  test("keeps its unit from being sent after a restore when it is ours, and the walk goes on", async () => {
    await oursBefore(2);
    const [own] = ledger.service.referrals;
    const { shop } = ledger;
    const { rows } = await db.pool.query("SELECT id FROM referral_requests WHERE shop = $1", [
      shop,
    ]);
    const requestId = String(rows[0]?.id);
    // A restored database looks like this: ready, and no referral known.
    await db.pool.query("DELETE FROM referrals WHERE shop = $1", [shop]);
    await db.pool.query("UPDATE referral_requests SET state = 'ready', attempt = 0 WHERE id = $1", [
      requestId,
    ]);
    Object.assign(own ?? {}, { medicare: 7 });
    await pause();
    ledger.clock.advance(settledAfterMs(ledger.ports.waits));
    expect(await sync()).toMatchObject({ kind: "synced" });
    expect(await db.tenancy.inShop(shop, (t) => t.restores.pause("staging"))).toBeNull();
    expect(await createReferral(ledger.ports, { shop, requestId })).toEqual({
      kind: "postponed",
      until: null,
    });
    expect(ledger.service.calls).toHaveLength(1);
    const jobs = await db.pool.query(
      "SELECT payload->>'uuid' AS uuid FROM outbox WHERE shop = $1 AND name = 'refetch-referral'",
      [shop],
    );
    expect(jobs.rows.map(({ uuid }) => uuid)).toContain(own?.uuid);
    const target = { shop, environment: "staging", uuid: String(own?.uuid) } as const;
    const refetch = () => refetchWhenDue(ledger.ports, "refetch-referral", target, { retries: 3 });
    expect(await refetch()).toEqual({ kind: "unreadable" });
    const reviewReason = () =>
      db.tenancy.inShop(shop, async (t) => (await t.requests.find(requestId))?.reviewReason);
    expect(await reviewReason()).toEqual({ code: "unreadable_at_service", detail: null });
    Object.assign(own ?? {}, { medicare: false, status: "ISSUED" });
    expect(await refetch()).toMatchObject({ kind: "stored" });
    expect(await reviewReason()).toBeNull();
    expect(ledger.service.calls).toHaveLength(1);
  });

  test.each<[string, Record<string, unknown>]>([
    ["its uuid is no uuid", { uuid: "one,two" }],
    ["it says nothing of itself", { uuid: 7, referenceNumber: null, metadata: null }],
    ["no database stores its time", { createdAt: "-271820-01-01T00:00:00Z" }],
    ["its number has a character that no database takes", { referenceNumber: "a\u0000b" }],
    [
      "its date is of 1970",
      { createdAt: "1970-01-01T00:00:00Z", updatedAt: "1970-01-01T00:00:00Z" },
    ],
  ])("stops no walk and no end of a pause when %s", async (_, fields) => {
    await oursBefore(1);
    const [own, foreign] = ledger.service.referrals;
    Object.assign(foreign ?? {}, fields);
    ledger.service.referrals.reverse();
    Object.assign(own ?? {}, { updatedAt: new Date(ledger.clock.now().getTime() + 60_000) });
    await pause();
    ledger.clock.advance(settledAfterMs(ledger.ports.waits));
    expect(await sync()).toMatchObject({ kind: "synced", repaired: 1 });
    expect(await db.tenancy.inShop(ledger.shop, (t) => t.restores.pause("staging"))).toBeNull();
  });

  test("keeps the pause after a restore for its whole time when the clock leaps over its end", async () => {
    await oursBefore(1);
    await pause();
    const settledMs = settledAfterMs(ledger.ports.waits);
    ledger.clock.advance(settledMs);
    const leaptAt = ledger.clock.now();
    const ports = { ...ledger.ports, clock: { ...ledger.clock, leaptAt: () => leaptAt } };
    const target = { shop: ledger.shop, environment: "staging" } as const;
    const paused = () => db.tenancy.inShop(ledger.shop, (t) => t.restores.pause("staging"));
    expect(await syncConnection(ports, target)).toMatchObject({ kind: "synced" });
    expect(await paused()).not.toBeNull();
    ledger.clock.advance(settledMs);
    expect(await syncConnection(ports, target)).toMatchObject({ kind: "synced" });
    expect(await paused()).toBeNull();
  });

  test.each([null, "same"])(
    "keeps the pause after a restore while the list breaks off after a full page: its cursor is %s",
    async (cursor) => {
      await oursBefore(19);
      const { shop, service } = ledger;
      await db.pool.query("DELETE FROM referrals WHERE shop = $1", [shop]);
      await pause();
      ledger.clock.advance(settledAfterMs(ledger.ports.waits));
      const body = { cursor: { cursor, count: 20, resultCount: 20 }, referrals: service.referrals };
      const brokenOff = async () => referralsOn(JSON.stringify(body), "GET /v1/referrals");
      await expect(sync({ referralPage: brokenOff })).rejects.toMatchObject({
        failure: "contract_mismatch",
      });
      const paused = () => db.tenancy.inShop(shop, (t) => t.restores.pause("staging"));
      expect(await paused()).not.toBeNull();
      // Its entries are found all the same.
      expect(await ledger.takeJobs()).toContain("refetch-referral");
      expect(await sync()).toMatchObject({ kind: "synced" });
      expect(await paused()).toBeNull();
    },
  );

  test("keeps the pause after a restore while it has our number and no uuid", async () => {
    await oursBefore(1);
    const [own] = ledger.service.referrals;
    Object.assign(own ?? {}, { uuid: 7 });
    await pause();
    ledger.clock.advance(settledAfterMs(ledger.ports.waits));
    await expect(sync()).rejects.toMatchObject({ failure: "contract_mismatch" });
    const paused = await db.tenancy.inShop(ledger.shop, (t) => t.restores.pause("staging"));
    expect(paused).not.toBeNull();
  });
});
