import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { openTestDatabase } from "../../../../test/database/database.ts";
import {
  CREATE_TIMEOUT_MS,
  QUARANTINE_MS,
  servicesAt,
  type startLedger,
} from "../../../../test/database/ledger.ts";
import { putRequest } from "../../../../test/database/put-request.ts";
import { dieAfterClaim, startRequest } from "../../../../test/database/request.ts";
import { readyRequest } from "../../../../test/database/seed.ts";
import type { CreateBehaviour } from "../../../../test/database/small-service.ts";
import { createReferral, REPORTING_GRACE_MS } from "../create-referral.ts";
import { refetchReferral } from "../referrals/refetch-referral.ts";
import { resolveAmbiguous } from "../resolve-ambiguous.ts";

const db = await openTestDatabase();
const OVERDUE_MS = CREATE_TIMEOUT_MS + REPORTING_GRACE_MS;
const start = (settings: Parameters<typeof startLedger>[1] = {}) => startRequest(db, settings);

describe("what is learnt late", () => {
  /** Attempt 1 stands still at the service; meanwhile it is given up, and attempt 2 is under way. */
  async function overtaken(ending: "not_sent" | "rejected" | "unknown" | "created") {
    const ledger = await start();
    const { ports, target, clock } = ledger;
    const answer = Promise.withResolvers<void>();
    const sleeping = {
      forConnection: async () => {
        const real = await servicesAt(ledger.service.url, clock).forConnection(
          ledger.shop,
          "staging",
        );
        if (!real) throw new Error("no service");
        return {
          ...real,
          createReferral: async (...call: Parameters<typeof real.createReferral>) => {
            const outcome =
              ending === "not_sent"
                ? { kind: ending, reason: "deadline", retryable: true, retryAfterMs: null }
                : await real.createReferral(...call);
            await answer.promise;
            return outcome;
          },
        };
      },
    };
    ledger.service.next(...(ending === "rejected" ? (["reject"] as const) : []));
    ledger.service.next(...(ending === "unknown" ? (["reset_before"] as const) : []));
    const first = createReferral({ ...ports, services: sleeping }, target);
    await expect.poll(ledger.now).toBe("sending");
    if (ending !== "not_sent") await expect.poll(() => ledger.service.calls.length).toBe(1);
    ledger.service.hidden = new Set(ledger.service.referrals.map(({ uuid }) => String(uuid)));
    clock.advance(OVERDUE_MS);
    await ledger.resolve();
    clock.advance(QUARANTINE_MS);
    expect(await ledger.resolve()).toEqual({ kind: "resend" });
    await dieAfterClaim(ledger);
    expect(await ledger.find()).toMatchObject({ state: "sending", attempt: 2 });
    answer.resolve();
    return { ...ledger, first: await first };
  }

  test.each(["not_sent", "rejected", "unknown"] as const)(
    "%s about the first attempt says nothing about the second",
    async (ending) => {
      const { find, create } = await overtaken(ending);
      expect(await find()).toMatchObject({ state: "sending", attempt: 2 });
      expect(await create()).toMatchObject({ kind: "postponed" });
    },
  );

  test("a referral that came of the first attempt ends the ledger", async () => {
    const { now, first } = await overtaken("created");
    expect(first).toMatchObject({ kind: "created" });
    expect(await now()).toBe("created");
  });

  test("a scan that was begun for the first attempt does not free the second", async () => {
    const ledger = await start();
    const { service, clock, ports, target } = ledger;
    service.next("reset_before");
    await ledger.create();
    await ledger.resolve();
    clock.advance(CREATE_TIMEOUT_MS + QUARANTINE_MS);
    // This scan reads the list while the rest happens.
    const listed = Promise.withResolvers<void>();
    const walked = Promise.withResolvers<void>();
    const slow = {
      forConnection: async () => {
        const real = await ports.services.forConnection(ledger.shop, "staging");
        if (!real) throw new Error("no service");
        async function* slowly() {
          if (real) for await (const referral of real.referralsNewestFirst()) yield referral;
          walked.resolve();
          await listed.promise;
        }
        return { ...real, referralsNewestFirst: slowly };
      },
    };
    const slowScan = resolveAmbiguous({ ...ports, services: slow }, target);
    await walked.promise;
    expect(await ledger.resolve()).toEqual({ kind: "resend" });
    service.next("hang_after");
    expect(await ledger.create()).toEqual({ kind: "ambiguous" });
    listed.resolve();
    expect(await slowScan).toEqual({ kind: "nothing_to_resolve" });
    expect(await ledger.now()).toBe("ambiguous");
    expect(await ledger.resolve()).toMatchObject({ kind: "linked" });
    expect(service.referrals).toHaveLength(1);
  });

  test("an attempt that is committed late is found by the scans of the next one", async () => {
    const { service, clock, create, resolve, ports, shop } = await start();
    service.next("late");
    await create();
    service.finishLate();
    service.hidden = new Set(service.referrals.map(({ uuid }) => String(uuid)));
    await resolve();
    clock.advance(CREATE_TIMEOUT_MS + QUARANTINE_MS);
    expect(await resolve()).toEqual({ kind: "resend" });
    // Longer than a search reads on for a clock that was set back.
    clock.advance(24 * 3_600_000);
    const another = await readyRequest(db, shop, { orderNumber: 2000 });
    await createReferral(ports, { shop, requestId: another });
    // Little newer than the late one, and so many that a search for the second attempt alone ends before it.
    const [late] = service.referrals.slice(-1);
    const others = Array.from({ length: 25 }, (_, n) => {
      const at = new Date(Date.parse(String(late?.createdAt)) + (25 - n) * 60_000).toISOString();
      const foreign = { uuid: randomUUID(), referenceNumber: "another system's", metadata: {} };
      return { ...late, ...foreign, createdAt: at, updatedAt: at };
    });
    service.referrals.splice(1, 0, ...others);
    service.next("reset_before");
    await create();
    service.hidden = new Set();
    expect(await resolve()).toMatchObject({ kind: "linked" });
    expect(service.referrals).toHaveLength(2 + others.length);
  });

  test("an event about a late referral stops the second sending", async () => {
    const { service, clock, create, resolve, ports, shop, now } = await start();
    service.next("late");
    await create();
    await resolve();
    clock.advance(CREATE_TIMEOUT_MS + QUARANTINE_MS);
    expect(await resolve()).toEqual({ kind: "resend" });
    service.finishLate();
    const uuid = String(service.referrals[0]?.uuid);
    await refetchReferral(ports, { shop, environment: "staging", uuid });
    expect(await now()).toBe("created");
    expect(await create()).toEqual({ kind: "not_due" });
    expect(service.calls).toHaveLength(1);
  });
});

describe("a unit that the store takes back while it is being sent", () => {
  async function takenBack(behaviour: CreateBehaviour) {
    const ledger = await start();
    const { service, requestId, shop, ports, target } = ledger;
    service.next(behaviour);
    const take = () =>
      db.tenancy.inShop(shop, (tenant) =>
        putRequest(tenant, requestId, {
          cancellation: { requestedBy: "store", status: "requested" },
        }),
      );
    const real = await ports.services.forConnection(shop, "staging");
    if (!real) throw new Error("the shop has no connection");
    const slow: typeof real = {
      ...real,
      async createReferral(...call) {
        await take();
        return real.createReferral(...call);
      },
    };
    const slowly = { ...ports, services: { forConnection: async () => slow } };
    return {
      ...ledger,
      take,
      /** The unit is taken back when the attempt is on disk and its call has not left yet. */
      createMeanwhile: () => createReferral(slowly, target),
    };
  }

  test("ends as cancelled when it turns out not to have been created", async () => {
    const ledger = await takenBack("reject");
    expect(await ledger.createMeanwhile()).toEqual({ kind: "cancelled" });
    expect(await ledger.now()).toBe("cancelled");
    expect(ledger.service.calls).toHaveLength(1);
  });

  test("is not tried again when it could not be sent", async () => {
    const ledger = await takenBack("create");
    ledger.service.close();
    expect(await ledger.createMeanwhile()).toEqual({ kind: "cancelled" });
    expect(await ledger.takeJobs()).not.toContain("create-referral");
  });

  test("is not sent again after an unclear attempt", async () => {
    const ledger = await takenBack("reset_before");
    await ledger.create();
    await ledger.take();
    await ledger.resolve();
    ledger.clock.advance(CREATE_TIMEOUT_MS + QUARANTINE_MS);
    expect(await ledger.resolve()).toEqual({ kind: "cancelled" });
    expect(await ledger.now()).toBe("cancelled");
    expect(ledger.service.referrals).toEqual([]);
  });

  test.each([
    [
      "automatic",
      { reviewReason: null, cancellation: { requestedBy: "store", status: "confirmed" } },
    ],
    [
      "ask",
      {
        reviewReason: { code: "refunded_after_sending", detail: null },
        cancellation: { requestedBy: "store", status: "requested" },
      },
    ],
  ] as const)(
    "is taken back by the policy %s when it was created",
    async (refundPolicy, outcome) => {
      const ledger = await takenBack("create");
      await db.tenancy.inShop(ledger.shop, (t) => t.shops.updateSettings({ refundPolicy }));
      await ledger.createMeanwhile();
      expect(await ledger.find()).toMatchObject({ state: "created", ...outcome });
    },
  );
});
