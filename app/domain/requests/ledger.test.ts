import { describe, expect, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import {
  CREATE_TIMEOUT_MS,
  type Ledger,
  QUARANTINE_MS,
  servicesAt,
  startLedger,
} from "../../../test/database/ledger.ts";
import { ONE_TEST, PATIENT, readyRequest } from "../../../test/database/seed.ts";
import type { CreateBehaviour } from "../../../test/database/small-service.ts";
import { refetchReferral } from "../referrals/refetch-referral.ts";
import { createReferral, REPORTING_GRACE_MS } from "./create-referral.ts";
import { resolveAmbiguous } from "./resolve-ambiguous.ts";

const db = await openTestDatabase();
const OVERDUE_MS = CREATE_TIMEOUT_MS + REPORTING_GRACE_MS;

/** A ledger with one request that is ready, and what can be done to it. */
async function start(settings: Parameters<typeof startLedger>[1] = {}) {
  const ledger = await startLedger(db, settings);
  const requestId = await readyRequest(db, ledger.shop);
  const target = { shop: ledger.shop, requestId };
  return {
    ...ledger,
    target,
    requestId,
    create: () => createReferral(ledger.ports, target),
    resolve: () => resolveAmbiguous(ledger.ports, target),
    find: () => db.tenancy.inShop(ledger.shop, (tenant) => tenant.requests.find(requestId)),
    now: () => ledger.state(requestId),
  };
}

/** What a process that dies after its claim leaves: the attempt is on disk, nothing else. */
async function dieAfterClaim({
  ports,
  target,
}: {
  ports: Ledger["ports"];
  target: Parameters<typeof createReferral>[1];
}) {
  const service = await ports.services.forConnection(target.shop, "staging");
  if (!service) throw new Error("the shop has no connection");
  const killed = { ...service, createReferral: () => Promise.reject(new Error("killed")) };
  const dying = { ...ports, services: { forConnection: async () => killed } };
  await expect(createReferral(dying, target)).rejects.toThrow("killed");
}

describe("one create call", () => {
  test("answered with a referral: created, and fetched again", async () => {
    const { create, now, service, story, requestId, takeJobs, shop } = await start();
    const outcome = await create();
    expect(outcome).toEqual({ kind: "created", uuids: [service.referrals[0]?.uuid] });
    expect(await now()).toBe("created");
    expect(await story(requestId)).toEqual(["create_started", "create_succeeded"]);
    expect(await takeJobs()).toEqual(["resolve-ambiguous", "refetch-referral"]);
    expect(service.calls[0]).toMatchObject({
      metadata: { requestId, shop, unit: 1, generation: 1 },
    });
  });

  test("is on disk as sending, with attempt and deadline, before a byte leaves", async () => {
    const ledger = await start();
    let seen: unknown;
    const services = {
      forConnection: async () => {
        seen = await ledger.find();
        return null;
      },
    };
    await createReferral({ ...ledger.ports, services }, ledger.target);
    const deadline = new Date(ledger.clock.now().getTime() + CREATE_TIMEOUT_MS);
    expect(seen).toMatchObject({ state: "sending", attempt: 1, attemptDeadlineAt: deadline });
  });

  test("refused by the service: rejected, and not sent again by itself", async () => {
    const { create, now, service, find, takeJobs } = await start();
    service.next("reject");
    expect(await create()).toEqual({ kind: "rejected", code: "INVALID_PAYLOAD" });
    expect(await now()).toBe("rejected");
    expect((await find())?.attention).toBe("rejected:INVALID_PAYLOAD");
    expect(await takeJobs()).toEqual(["resolve-ambiguous"]);
    expect(await create()).toEqual({ kind: "not_due" });
    expect(service.calls).toHaveLength(1);
  });

  test("a refused connection: ready again, and tried later", async () => {
    const ledger = await start();
    ledger.service.close();
    expect(await ledger.create()).toMatchObject({ kind: "postponed", until: expect.any(Date) });
    expect(await ledger.now()).toBe("ready");
    expect(await ledger.takeJobs()).toEqual(["resolve-ambiguous", "create-referral"]);
    expect(await ledger.resolve()).toEqual({ kind: "nothing_to_resolve" });
  });

  test("a refused token: ready, waiting for a person", async () => {
    const { create, now, find, service, takeJobs } = await start();
    service.next("unauthorized", "unauthorized");
    expect(await create()).toEqual({ kind: "postponed", until: null });
    expect(await now()).toBe("ready");
    expect((await find())?.attention).toMatch(/^not_sent:/);
    expect(await takeJobs()).toEqual(["resolve-ambiguous"]);
  });

  test("without a connection: ready, waiting for a person", async () => {
    const ledger = await start();
    const services = { forConnection: async () => null };
    expect(await createReferral({ ...ledger.ports, services }, ledger.target)).toEqual({
      kind: "postponed",
      until: null,
    });
    expect((await ledger.find())?.attention).toBe("not_sent:no_connection");
  });

  test.each<CreateBehaviour>([
    ...(["error_before", "error_after", "reset_before", "reset_after"] as const),
    ...(["hang_before", "hang_after"] as const),
  ])("%s: ambiguous, and looked for", async (behaviour) => {
    const { create, now, service, takeJobs } = await start();
    service.next(behaviour);
    expect(await create()).toEqual({ kind: "ambiguous" });
    expect(await now()).toBe("ambiguous");
    expect(await takeJobs()).toEqual(["resolve-ambiguous", "resolve-ambiguous"]);
    expect(await create()).toEqual({ kind: "not_due" });
    expect(service.calls).toHaveLength(1);
  });

  test("asked for twenty times at once: sent once", async () => {
    const { create, service, now } = await start();
    const outcomes = await Promise.all(Array.from({ length: 20 }, create));
    expect(outcomes.filter(({ kind }) => kind === "created")).toHaveLength(1);
    expect(service.calls).toHaveLength(1);
    expect(await now()).toBe("created");
  });

  test.each(["awaiting_details", "held", "cancelled", "rejected", "created"] as const)(
    "is not made for a request that is %s",
    async (state) => {
      const { create, service, target, shop } = await start();
      await db.tenancy.inShop(shop, (t) => t.requests.move(target.requestId, ["ready"], state));
      expect(await create()).toEqual({ kind: "not_due" });
      expect(service.calls).toEqual([]);
    },
  );

  test("is not made for a shop that has uninstalled", async () => {
    const { create, service, shop, clock } = await start();
    await db.tenancy.inShop(shop, (tenant) => tenant.shops.uninstall(clock.now()));
    expect(await create()).toEqual({ kind: "not_due" });
    expect(service.calls).toEqual([]);
  });

  test("sends the details as they were last saved", async () => {
    const ledger = await start();
    const correction = await db.pool.connect();
    await correction.query("BEGIN");
    await correction.query("SELECT FROM referral_requests WHERE id = $1 FOR UPDATE", [
      ledger.requestId,
    ]);
    // The correction is being committed while the sender makes its claim.
    const creating = ledger.create();
    await expect.poll(waitingForRow, { timeout: 3000 }).toBe(1);
    const sealer = await db.sealers.forShop(ledger.shop);
    const place = { table: "referral_requests", column: "patient", row: ledger.requestId };
    const patient = { patient: { ...PATIENT, firstName: "Corrected" }, medicare: null };
    await correction.query("UPDATE referral_requests SET patient_sealed = $2 WHERE id = $1", [
      ledger.requestId,
      sealer.sealJson(place, patient),
    ]);
    await correction.query("COMMIT");
    correction.release();
    await creating;
    expect(ledger.service.calls).toMatchObject([{ firstName: "Corrected" }]);
  });
});

async function waitingForRow(): Promise<number> {
  const { rows } = await db.pool.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return rows[0]?.n ?? 0;
}

describe("an unclear attempt", () => {
  test.each<CreateBehaviour>(["error_after", "reset_after", "hang_after"])(
    "%s: what exists is adopted, and nothing is sent again",
    async (behaviour) => {
      const { create, resolve, now, service, story, requestId } = await start();
      service.next(behaviour);
      await create();
      expect(await resolve()).toEqual({ kind: "adopted", uuids: [service.referrals[0]?.uuid] });
      expect(await now()).toBe("created");
      expect(await create()).toEqual({ kind: "not_due" });
      expect(await resolve()).toEqual({ kind: "nothing_to_resolve" });
      expect(service.referrals).toHaveLength(1);
      expect(await story(requestId)).toEqual(["create_started", "create_unknown", "scan_found"]);
    },
  );

  test("is adopted from a later page, and from among others", async () => {
    const { create, resolve, service, ports, shop } = await start();
    service.next("reset_after");
    await create();
    for (let order = 2000; order < 2030; order++) {
      const requestId = await readyRequest(db, shop, { orderNumber: order });
      await createReferral(ports, { shop, requestId });
    }
    expect(await resolve()).toMatchObject({
      kind: "adopted",
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

  test("an incomplete scan proves nothing", async () => {
    const { create, resolve, service, clock, find } = await start();
    service.next("reset_after");
    await create();
    service.listWorks = false;
    clock.advance(10 * QUARANTINE_MS);
    for (let look = 0; look < 3; look++) await expect(resolve()).rejects.toThrow();
    expect(await find()).toMatchObject({ state: "ambiguous", emptyScans: 0 });
    service.listWorks = true;
    expect(await resolve()).toMatchObject({ kind: "adopted" });
  });

  test("a list that lags behind does not lead to a second referral", async () => {
    const { create, resolve, service, clock } = await start();
    service.next("reset_after");
    await create();
    service.hidden = new Set(service.referrals.map(({ uuid }) => String(uuid)));
    expect(await resolve()).toMatchObject({ kind: "scan_again" });
    service.hidden = new Set();
    clock.advance(CREATE_TIMEOUT_MS + QUARANTINE_MS);
    expect(await resolve()).toMatchObject({ kind: "adopted" });
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
    expect(await find()).toMatchObject({ state: "ambiguous", attention: "ambiguous" });
    expect(await takeJobs()).toEqual([]);
    expect(await create()).toEqual({ kind: "not_due" });
    expect((await story(requestId)).at(-1)).toBe("decision_needed");
    expect(service.calls).toHaveLength(1);
  });

  test("a referral of another request is not adopted", async () => {
    const { create, resolve, service, ports, shop } = await start();
    const other = await readyRequest(db, shop, { orderNumber: 2000 });
    await createReferral(ports, { shop, requestId: other });
    service.next("reset_before");
    await create();
    expect(await resolve()).toMatchObject({ kind: "scan_again" });
  });

  test("is found by our own id when the service lost the reference number", async () => {
    const { create, resolve, service } = await start();
    service.next("reset_after");
    await create();
    Object.assign(service.referrals[0] ?? {}, { referenceNumber: null });
    expect(await resolve()).toMatchObject({ kind: "adopted" });
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
    expect(new Set(await ledger.takeJobs())).toEqual(new Set(["resolve-ambiguous"]));
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

  test("after the service has created: adopted", async () => {
    const ledger = await start();
    const deaf = { ...ledger.ports, tenancy: failingAfter(ledger, 1) };
    await expect(createReferral(deaf, ledger.target)).rejects.toThrow("killed");
    expect(ledger.service.referrals).toHaveLength(1);
    expect(await ledger.now()).toBe("sending");
    ledger.clock.advance(OVERDUE_MS);
    expect(await ledger.resolve()).toMatchObject({ kind: "adopted" });
    expect(await ledger.now()).toBe("created");
    expect(ledger.service.calls).toHaveLength(1);
  });
});

/** The database as a process has it that dies after so many transactions. */
function failingAfter({ ports }: Ledger, transactions: number): Ledger["ports"]["tenancy"] {
  let left = transactions;
  return {
    inShop: (shop, work) =>
      left-- > 0 ? ports.tenancy.inShop(shop, work) : Promise.reject(new Error("killed")),
  };
}

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
    const slow = {
      forConnection: async () => {
        const real = await ports.services.forConnection(ledger.shop, "staging");
        if (!real) throw new Error("no service");
        async function* slowly() {
          if (real) for await (const referral of real.referralsNewestFirst()) yield referral;
          await listed.promise;
        }
        return { ...real, referralsNewestFirst: slowly };
      },
    };
    const slowScan = resolveAmbiguous({ ...ports, services: slow }, target);
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(await ledger.resolve()).toEqual({ kind: "resend" });
    service.next("hang_after");
    expect(await ledger.create()).toEqual({ kind: "ambiguous" });
    listed.resolve();
    expect(await slowScan).toEqual({ kind: "nothing_to_resolve" });
    expect(await ledger.now()).toBe("ambiguous");
    expect(await ledger.resolve()).toMatchObject({ kind: "adopted" });
    expect(service.referrals).toHaveLength(1);
  });

  test("an attempt that is committed late is found by the scans of the next one", async () => {
    const { service, clock, create, resolve } = await start();
    service.next("late", "reset_before");
    await create();
    service.finishLate();
    service.hidden = new Set(service.referrals.map(({ uuid }) => String(uuid)));
    await resolve();
    clock.advance(CREATE_TIMEOUT_MS + QUARANTINE_MS);
    expect(await resolve()).toEqual({ kind: "resend" });
    await create();
    service.hidden = new Set();
    expect(await resolve()).toMatchObject({ kind: "adopted" });
    expect(service.referrals).toHaveLength(1);
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

describe("a Medicare order", () => {
  const practitioner = { name: "Dr Who", address: "1 St", providerNumber: "2426621B" };
  const items = { ...ONE_TEST, medicareTests: ["fbc"], practitioner };

  async function startMedicare() {
    const ledger = await startLedger(db);
    const requestId = await readyRequest(db, ledger.shop, { items });
    return { ...ledger, target: { shop: ledger.shop, requestId }, requestId };
  }
  const attention = ({ shop, requestId }: { shop: Ledger["shop"]; requestId: string }) =>
    db.tenancy.inShop(shop, async (tenant) => (await tenant.requests.find(requestId))?.attention);

  test("has two referrals", async () => {
    const ledger = await startMedicare();
    expect(await createReferral(ledger.ports, ledger.target)).toMatchObject({ kind: "created" });
    expect(ledger.service.referrals.map(({ medicare }) => medicare).sort()).toEqual([false, true]);
    expect(await attention(ledger)).toBeNull();
  });

  test("of which only one came: a person is told, and the whole is not sent again", async () => {
    const ledger = await startMedicare();
    ledger.service.next("create_half");
    await createReferral(ledger.ports, ledger.target);
    expect(await ledger.state(ledger.requestId)).toBe("created");
    expect(await attention(ledger)).toBe("half_created");
    expect(await createReferral(ledger.ports, ledger.target)).toEqual({ kind: "not_due" });
  });
});

describe("a unit that the store takes back while it is being sent", () => {
  async function takenBack(behaviour: CreateBehaviour) {
    const ledger = await start();
    const { service, requestId, shop } = ledger;
    service.next(behaviour);
    const take = () =>
      db.tenancy.inShop(shop, (tenant) => tenant.requests.setUnwanted(requestId, true));
    return { ...ledger, take };
  }

  test("ends as cancelled when it turns out not to have been created", async () => {
    const ledger = await takenBack("reject");
    await ledger.take();
    expect(await ledger.create()).toEqual({ kind: "cancelled" });
    expect(await ledger.now()).toBe("cancelled");
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

  test("is shown to a person when it was created", async () => {
    const ledger = await takenBack("create");
    await ledger.take();
    await ledger.create();
    expect((await ledger.find())?.attention).toBe("refunded_after_sending");
  });
});
