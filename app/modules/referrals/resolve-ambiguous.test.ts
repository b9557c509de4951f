/** Long because each way to find out what became of an unclear order is tried, and each that proves nothing. */
import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import {
  CREATE_TIMEOUT_MS,
  type Ledger,
  QUARANTINE_MS,
  type startLedger,
} from "../../../test/database/ledger.ts";
import { dieAfterClaim, startRequest } from "../../../test/database/request.ts";
import { readyRequest } from "../../../test/database/seed.ts";
import type { CreateBehaviour } from "../../../test/database/small-service.ts";
import { createReferral, REPORTING_GRACE_MS } from "./create-referral.ts";
import { resolveAmbiguous } from "./resolve-ambiguous.ts";

const db = await openTestDatabase();
const OVERDUE_MS = CREATE_TIMEOUT_MS + REPORTING_GRACE_MS;
const start = (settings: Parameters<typeof startLedger>[1] = {}) => startRequest(db, settings);

/** Referrals of others that were made a day after one another, the newest first, and all before ours. */
const others = (count: number) =>
  Array.from({ length: count }, (_, at) => {
    const made = new Date(Date.UTC(2020, 0, count - at)).toISOString();
    const times = { createdAt: made, updatedAt: made };
    return { ...times, uuid: randomUUID(), referenceNumber: "another", metadata: {} };
  });

const AT_ONCE = { createdAt: "2020-01-01T00:00:00.000Z", updatedAt: "2020-01-01T00:00:00.000Z" };

describe("an unclear attempt", () => {
  test.each<CreateBehaviour>(["error_after", "reset_after", "hang_after"])(
    "%s: what exists is linked, and nothing is sent again",
    async (behaviour) => {
      const { create, resolve, now, service, story, requestId } = await start();
      service.next(behaviour);
      await create();
      expect(await resolve()).toEqual({ kind: "linked", uuids: [service.referrals[0]?.uuid] });
      expect(await now()).toBe("created");
      expect(await create()).toEqual({ kind: "not_due" });
      expect(await resolve()).toEqual({ kind: "nothing_to_resolve" });
      expect(service.referrals).toHaveLength(1);
      expect(await story(requestId)).toEqual(["create_started", "create_unknown", "scan_found"]);
    },
  );

  test("is linked from a later page, and from among others", async () => {
    const { create, resolve, service, ports, shop } = await start();
    service.next("reset_after");
    await create();
    for (let order = 2000; order < 2030; order++) {
      const requestId = await readyRequest(db, shop, { orderNumber: order });
      await createReferral(ports, { shop, requestId });
    }
    expect(await resolve()).toMatchObject({
      kind: "linked",
      uuids: [service.referrals.at(-1)?.uuid],
    });
  });

  test("is sent again only after two empty scans, the second after the quarantine", async () => {
    const { create, resolve, now, service, clock, story, requestId, takeJobs } = await start();
    service.next("reset_before");
    await create();
    await takeJobs();
    const quarantineEnds = new Date(clock.now().getTime() + CREATE_TIMEOUT_MS + QUARANTINE_MS);
    // However often it is looked for before the quarantine ends, that is one scan.
    for (let look = 0; look < 3; look++)
      expect(await resolve()).toEqual({ kind: "scan_again", at: quarantineEnds });
    expect((await story(requestId)).filter((kind) => kind === "scan_empty")).toHaveLength(1);
    clock.advance(CREATE_TIMEOUT_MS + QUARANTINE_MS - 1);
    expect(await resolve()).toMatchObject({ kind: "scan_again" });
    expect(await now()).toBe("ambiguous");
    expect(service.calls).toHaveLength(1);
    await takeJobs();

    clock.advance(1);
    expect(await resolve()).toEqual({ kind: "resend" });
    expect(await takeJobs()).toEqual(["create-referral"]);
    expect(await create()).toMatchObject({ kind: "created" });
    expect(service.referrals).toHaveLength(1);
    expect((await story(requestId)).slice(-4)).toEqual([
      "scan_empty",
      "resend_allowed",
      "create_started",
      "create_succeeded",
    ]);
  });

  test("is not sent again after one scan, though the quarantine is long over", async () => {
    const { create, resolve, service, clock, now } = await start();
    service.next("reset_before");
    await create();
    clock.advance(10 * QUARANTINE_MS);
    expect(await resolve()).toMatchObject({ kind: "scan_again" });
    expect(await now()).toBe("ambiguous");
    expect(await resolve()).toEqual({ kind: "resend" });
  });

  test("a scan that began before the quarantine ended is not the last one, whenever it ends", async () => {
    const { create, resolve, now, service, clock, ports, target } = await start();
    service.next("reset_before");
    await create();
    await resolve();
    clock.advance(CREATE_TIMEOUT_MS + QUARANTINE_MS - 1);
    const real = await ports.services.forConnection(target.shop, "staging");
    if (!real) throw new Error("no service");
    async function* slowly() {
      clock.advance(QUARANTINE_MS);
      if (real) yield* real.referralsNewestFirst();
    }
    const slow = { ...real, referralsNewestFirst: slowly };
    const services = { forConnection: async () => slow };
    expect(await resolveAmbiguous({ ...ports, services }, target)).toMatchObject({
      kind: "scan_again",
    });
    expect(await now()).toBe("ambiguous");
    expect(await resolve()).toEqual({ kind: "resend" });
    expect(service.calls).toHaveLength(1);
  });

  test("an incomplete scan proves nothing", async () => {
    const { create, resolve, service, clock, find } = await start();
    service.next("reset_after");
    await create();
    service.listWorks = false;
    clock.advance(10 * QUARANTINE_MS);
    for (let look = 0; look < 3; look++) await expect(resolve()).rejects.toThrow();
    expect(await find()).toMatchObject({ state: "ambiguous", emptyScans: 0 });
    service.listWorks = true;
    expect(await resolve()).toMatchObject({ kind: "linked" });
  });

  test("a list that lags behind does not lead to a second referral", async () => {
    const { create, resolve, service, clock } = await start();
    service.next("reset_after");
    await create();
    service.hidden = new Set(service.referrals.map(({ uuid }) => String(uuid)));
    expect(await resolve()).toMatchObject({ kind: "scan_again" });
    service.hidden = new Set();
    clock.advance(CREATE_TIMEOUT_MS + QUARANTINE_MS);
    expect(await resolve()).toMatchObject({ kind: "linked" });
    expect(service.calls).toHaveLength(1);
  });

  test("in strict mode is never sent again by itself", async () => {
    const { create, resolve, service, clock, find, story, requestId, takeJobs } = await start({
      strictMode: true,
    });
    service.next("reset_before");
    await create();
    await resolve();
    clock.advance(CREATE_TIMEOUT_MS + QUARANTINE_MS);
    await takeJobs();
    expect(await resolve()).toEqual({ kind: "needs_person" });
    expect(await find()).toMatchObject({
      state: "ambiguous",
      reviewReason: { code: "ambiguous", detail: null },
    });
    expect(await takeJobs()).toEqual([]);
    expect(await create()).toEqual({ kind: "not_due" });
    expect((await story(requestId)).at(-1)).toBe("decision_needed");
    expect(service.calls).toHaveLength(1);
  });

  test("a referral of another request is not linked", async () => {
    const { create, resolve, service, ports, shop } = await start();
    const other = await readyRequest(db, shop, { orderNumber: 2000 });
    await createReferral(ports, { shop, requestId: other });
    service.next("reset_before");
    await create();
    expect(await resolve()).toMatchObject({ kind: "scan_again" });
  });

  test("is found behind a page of those that are older and were changed since", async () => {
    const { create, resolve, service } = await start();
    service.next("reset_after");
    await create();
    const [lost] = service.referrals;
    const older = others(25).map((one) => ({ ...lost, ...one, updatedAt: lost?.updatedAt }));
    service.referrals.unshift(...older);
    expect(await resolve()).toMatchObject({ kind: "linked" });
  });

  test.each([
    { behindHours: 10, knows: "no referral" },
    { behindHours: 100, knows: "an earlier referral" },
  ])(
    "is found although our clock is $behindHours hours ahead of the service’s: it knows $knows",
    async ({ behindHours, knows }) => {
      const { create, resolve, service, ports, shop } = await start();
      service.clockBehindMs = behindHours * 3_600_000;
      if (knows === "an earlier referral") {
        const requestId = await readyRequest(db, shop, { orderNumber: 2000 });
        await createReferral(ports, { shop, requestId });
      }
      service.next("reset_after");
      await create();
      expect(await resolve()).toEqual({ kind: "linked", uuids: [service.referrals[0]?.uuid] });
    },
  );

  test("is found after the quarantine though the service's clock was set back by hours", async () => {
    const { create, resolve, service, ports, shop, clock } = await start();
    const requestId = await readyRequest(db, shop, { orderNumber: 2000 });
    await createReferral(ports, { shop, requestId });
    const [known] = service.referrals;
    service.clockBehindMs = 3 * 3_600_000;
    service.next("reset_after");
    await create();
    // The list is sorted by creation: those that were made in the last hours come before ours.
    const since = others(50).map((one, at) => {
      const made = new Date(clock.now().getTime() - (at + 11) * 60_000).toISOString();
      return { ...known, ...one, createdAt: made, updatedAt: made };
    });
    const [own] = service.referrals.splice(0, 1);
    service.referrals.push(...since, ...(own ? [own] : []));
    clock.advance(CREATE_TIMEOUT_MS + QUARANTINE_MS);
    expect(await resolve()).toMatchObject({ kind: "linked" });
  });

  test("is not looked for behind a referral that was known before it", async () => {
    const { create, resolve, service, ports, shop, clock } = await start();
    const requestId = await readyRequest(db, shop, { orderNumber: 2000 });
    await createReferral(ports, { shop, requestId });
    clock.advance(3_600_000);
    service.next("reset_before");
    await create();
    const [known] = service.referrals;
    service.referrals.push(...others(100).map((one) => ({ ...known, ...one })));
    await resolve();
    // A page's worth of what is older ends the search.
    expect(service.pages).toBe(2);
  });

  type Sort = (older: ReturnType<typeof others>) => Record<string, unknown>[];
  test.each<[string, Sort]>([
    ["begins with its oldest", (older) => older.toReversed()],
    ["is sorted by neither time", (older) => older.toSorted((a, b) => (a.uuid < b.uuid ? -1 : 1))],
    ["has others of one moment", (older) => older.map((one) => ({ ...one, ...AT_ONCE }))],
  ])("is found in a list that %s", async (_, sorted) => {
    const { create, resolve, service } = await start();
    service.next("reset_after");
    await create();
    const [own] = service.referrals;
    service.referrals.unshift(...sorted(others(50)).map((one) => ({ ...own, ...one })));
    expect(await resolve()).toMatchObject({ kind: "linked" });
  });

  test.each(["1970-01-01T00:00:00.000Z", "0001-01-01T00:00:00.000Z"])(
    "is found behind somebody else's referral that is dated %s",
    async (at) => {
      const { create, resolve, service } = await start();
      service.next("reset_after");
      await create();
      const [own] = service.referrals;
      const foreign = { referenceNumber: null, metadata: null, createdAt: at, updatedAt: at };
      service.referrals.unshift({ ...own, ...foreign, uuid: randomUUID() });
      expect(await resolve()).toMatchObject({ kind: "linked" });
    },
  );

  test("is found by our own id when the service lost the reference number", async () => {
    const { create, resolve, service } = await start();
    service.next("reset_after");
    await create();
    Object.assign(service.referrals[0] ?? {}, { referenceNumber: null });
    expect(await resolve()).toMatchObject({ kind: "linked" });
  });
});

describe("a process that dies after its claim", () => {
  test("leaves an attempt that nobody sends again", async () => {
    const ledger = await start();
    await dieAfterClaim(ledger);
    expect(await ledger.now()).toBe("sending");
    expect(await ledger.create()).toMatchObject({ kind: "postponed" });
    expect(await ledger.resolve()).toEqual({ kind: "nothing_to_resolve" });
    ledger.clock.advance(OVERDUE_MS - 1);
    expect(await ledger.resolve()).toEqual({ kind: "nothing_to_resolve" });
    expect(await ledger.create()).toMatchObject({ kind: "postponed" });
    expect(ledger.service.calls).toEqual([]);
    expect(await ledger.takeJobs()).toEqual([]);
  });

  test("before a byte: sent once more after two scans and the quarantine", async () => {
    const ledger = await start();
    await dieAfterClaim(ledger);
    ledger.clock.advance(OVERDUE_MS);
    expect(await ledger.create()).toEqual({ kind: "not_due" });
    expect(await ledger.resolve()).toMatchObject({ kind: "scan_again" });
    ledger.clock.advance(QUARANTINE_MS);
    expect(await ledger.resolve()).toEqual({ kind: "resend" });
    await ledger.create();
    expect(ledger.service.referrals).toHaveLength(1);
    expect(await ledger.story(ledger.requestId)).toEqual([
      ...["create_started", "create_interrupted", "scan_empty", "scan_empty", "resend_allowed"],
      ...["create_started", "create_succeeded"],
    ]);
  });

  test("after the service has created: linked", async () => {
    const ledger = await start();
    // It asks what has to be looked at, and claims; what it learnt is not written down any more.
    const deaf = { ...ledger.ports, tenancy: failingAfter(ledger, 2) };
    await expect(createReferral(deaf, ledger.target)).rejects.toThrow("killed");
    expect(ledger.service.referrals).toHaveLength(1);
    expect(await ledger.now()).toBe("sending");
    ledger.clock.advance(OVERDUE_MS);
    expect(await ledger.resolve()).toMatchObject({ kind: "linked" });
    expect(await ledger.now()).toBe("created");
    expect(ledger.service.calls).toHaveLength(1);
  });
});

/** The database as a process has it that dies after so many transactions. */
function failingAfter({ ports }: Ledger, transactions: number): Ledger["ports"]["tenancy"] {
  let left = transactions;
  return {
    ...ports.tenancy,
    inShop: (shop, work) =>
      left-- > 0 ? ports.tenancy.inShop(shop, work) : Promise.reject(new Error("killed")),
  };
}
