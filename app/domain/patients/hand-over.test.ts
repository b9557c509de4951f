/** Long because it lists what each of two people may see and do at every stage of one hand-over. */
import { describe, expect, test } from "vitest";
import { START } from "../../../test/database/clock.ts";
import { openTestDatabase } from "../../../test/database/database.ts";
import { DAY_MS, mailRun, tokenOf } from "../../../test/database/mail-run.ts";
import {
  installedShop,
  newRequest,
  orderLine,
  PATIENT,
  storeOrder,
} from "../../../test/database/seed.ts";
import { findCustomerRequest, listCustomerRequests } from "../account/list-requests.ts";
import type { Viewer } from "../account/viewer.ts";
import { gid } from "../ids.ts";
import { canOpenLink, openLink, recogniseToken, recogniseVisit } from "../links/open-link.ts";
import { renewLink } from "../links/renew-link.ts";
import { stopReminders } from "../links/stop-reminders.ts";
import { handOver, takeBack } from "./hand-over.ts";
import { savePatientDetails } from "./save-patient-details.ts";

const db = await openTestDatabase();
const BUYER: Viewer = { kind: "customer", customerId: gid("Customer", 7) };
const STRANGER: Viewer = { kind: "customer", customerId: gid("Customer", 8) };
const DETAILS = { ...PATIENT, consent: true };

/** An order of two units and everything that a mail, a link and a reminder need. */
async function start({ guest = false } = {}) {
  const shop = await installedShop(db);
  const { clock, mails, ports, runJobs } = mailRun(db, shop);
  const customerId = guest ? null : gid("Customer", 7);
  const order = storeOrder({ customerId, lines: [orderLine({ quantity: 2 })] });
  const requests = [1, 2].map((unit) => newRequest(shop, order, { unit }));
  await db.tenancy.inShop(shop, async (tenant) => {
    await tenant.shops.rename("Example Health");
    await tenant.orders.record(order, new Map(), START);
    await tenant.requests.add(requests, START);
  });
  const [id = "", other = ""] = requests.map((request) => request.id);
  const token = tokenOf;
  const give = (viewer: Viewer, requestId = id) =>
    savePatientDetails(ports, { shop, viewer, requestId, details: DETAILS });
  const send = (email: unknown = "pat@example.com", viewer = BUYER) => {
    clock.advance(1);
    return handOver(ports, { shop, viewer, requestId: id, email });
  };
  const see = (viewer: Viewer) => listCustomerRequests(ports, { shop, viewer });
  const seeOne = (viewer: Viewer) => findCustomerRequest(ports, { shop, viewer, requestId: id });
  const open = (secret: string) => openLink(ports, { shop, token: secret });
  const viewerOf = async (secret: string) =>
    (await recogniseVisit(ports, { shop, secret }))?.viewer ?? null;
  /** Lets the patient in by the last mail, and answers who they are to the app. */
  async function enter() {
    await runJobs();
    const visit = await open(token(mails.at(-1)));
    const viewer = await viewerOf(visit?.secret ?? "");
    if (!viewer) throw new Error("The link let nobody in");
    return viewer;
  }
  return {
    shop,
    ports,
    clock,
    mails,
    id,
    other,
    token,
    runJobs,
    give,
    send,
    see,
    seeOne,
    open,
    enter,
    viewerOf,
  };
}

describe("handing a unit over", () => {
  test("makes the patient its only holder; the buyer sees sent, claimed and done", async () => {
    const { give, send, seeOne, see, enter, id, other, mails } = await start();
    expect(await give(BUYER)).toMatchObject({ kind: "saved" });
    expect(await send()).toMatchObject({ kind: "handed_over" });
    // What the buyer had typed of the patient is gone, not only hidden.
    const { rows } = await db.pool.query(
      "SELECT patient_sealed, consent_at, state FROM referral_requests WHERE id = $1",
      [id],
    );
    expect(rows).toEqual([{ patient_sealed: null, consent_at: null, state: "awaiting_details" }]);
    expect(await seeOne(BUYER)).toMatchObject({
      state: "handed_over",
      handOver: { state: "sent", canTakeBack: true },
      documents: [],
      prefill: null,
    });
    expect(await give(BUYER)).toEqual({ kind: "not_found" });

    const patient = await enter();
    expect(mails.at(-1)).toMatchObject({ to: "pat@example.com", fromName: "Example Health" });
    expect(await seeOne(BUYER)).toMatchObject({
      handOver: { state: "claimed", canTakeBack: false },
    });
    // The patient sees this unit alone, and nothing of the buyer.
    expect(await see(patient)).toMatchObject([{ id, state: "awaiting_details", prefill: null }]);
    expect(await give(patient, other)).toEqual({ kind: "not_found" });
    expect(await give(patient)).toMatchObject({ kind: "saved" });
    expect(await seeOne(BUYER)).toMatchObject({
      state: "handed_over",
      handOver: { state: "done" },
    });
    expect(await see(patient)).toMatchObject([{ state: "being_prepared", handOver: null }]);
  });

  test("is the buyer's alone to do, to an address, and only before anything was ordered", async () => {
    const { send, id } = await start();
    expect(await send("pat@example.com", STRANGER)).toEqual({ kind: "not_found" });
    for (const wrong of ["", "pat", null, 7, { email: "pat@example.com" }])
      expect(await send(wrong)).toMatchObject({ kind: "invalid" });
    for (const state of ["sending", "created", "ambiguous", "cancelled"]) {
      await db.pool.query("UPDATE referral_requests SET state = $1 WHERE id = $2", [state, id]);
      expect(await send()).toEqual({ kind: "too_late" });
    }
  });

  test("can be taken back until the patient came, which ends the link; not by a stranger", async () => {
    const { shop, ports, id, send, runJobs, mails, token, open, seeOne, enter } = await start();
    const target = { shop, requestId: id };
    await send();
    await runJobs();
    const former = token(mails.at(-1));
    expect(await takeBack(ports, { ...target, viewer: STRANGER })).toEqual({ kind: "not_found" });
    expect(await takeBack(ports, { ...target, viewer: BUYER })).toMatchObject({
      kind: "taken_back",
    });
    expect(await open(former)).toBeNull();
    expect(await recogniseToken(ports, { shop, token: former })).toBeNull();
    expect(await seeOne(BUYER)).toMatchObject({ state: "awaiting_details", handOver: null });

    await send("other@example.com");
    await enter();
    expect(await takeBack(ports, { ...target, viewer: BUYER })).toEqual({ kind: "too_late" });
    expect(await send()).toEqual({ kind: "too_late" });
  });

  test("to another address ends the first link, before and after its mail", async () => {
    const { send, runJobs, mails, token, open } = await start();
    await send("first@example.com");
    await runJobs();
    await send("second@example.com");
    await send("third@example.com");
    await runJobs();
    expect(mails.map(({ to }) => to)).toEqual(["first@example.com", "third@example.com"]);
    expect(await open(token(mails[0]))).toBeNull();
    expect(await open(token(mails[1]))).not.toBeNull();
  });

  test.each(["ready", "rejected", "ambiguous"])(
    "is too late once one of its two referrals was made, also while the missing one is %s",
    async (state) => {
      const { give, send, seeOne, id } = await start();
      await give(BUYER);
      await db.pool.query(
        "UPDATE referral_requests SET half = 'medicare', state = $1 WHERE id = $2",
        [state, id],
      );
      expect(await seeOne(BUYER)).toMatchObject({ canHandOver: false });
      expect(await send()).toEqual({ kind: "too_late" });
      const { rows } = await db.pool.query(
        "SELECT holder, patient_sealed IS NOT NULL AS known FROM referral_requests WHERE id = $1",
        [id],
      );
      expect(rows).toEqual([{ holder: "buyer", known: true }]);
    },
  );

  test("does not go on for ever", async () => {
    const { send, runJobs, clock } = await start();
    for (let n = 0; n < 5; n++) {
      expect(await send()).toMatchObject({ kind: "handed_over" });
      await runJobs();
    }
    expect(await send()).toEqual({ kind: "too_often" });
    clock.advance(DAY_MS);
    expect(await send()).toMatchObject({ kind: "handed_over" });
  });

  test("leaves the address in no column that can be read", async () => {
    const { send, runJobs } = await start();
    await send("zyxwarbler@example.com");
    await runJobs();
    for (const table of [
      "referral_requests",
      "patient_links",
      "notifications",
      "timeline",
      "outbox",
    ]) {
      const { rows } = await db.pool.query(`SELECT t::text AS text FROM ${table} t`);
      for (const { text } of rows) expect(text).not.toMatch(/zyxwarbler|7a7978776172626c6572/);
    }
  });
});

describe("a link", () => {
  async function guestLink() {
    const world = await start({ guest: true });
    const { shop, ports, id, runJobs } = world;
    await db.tenancy.inShop(shop, async (tenant) => {
      const due = { requestId: id, kind: "details_needed" } as const;
      await tenant.notifications.note(due, ports.clock.now());
      await tenant.jobs.enqueue({ name: "send-mail", shop, ...due });
    });
    await runJobs();
    return { ...world, secret: world.token(world.mails[0]) };
  }

  test("opens once, however many try at the same time; looking does not use it up", async () => {
    const { ports, shop, secret, open } = await guestLink();
    for (let n = 0; n < 3; n++)
      expect(await canOpenLink(ports, { shop, token: secret })).toBe(true);
    const visits = await Promise.all(Array.from({ length: 8 }, () => open(secret)));
    expect(visits.filter(Boolean)).toHaveLength(1);
    expect(await canOpenLink(ports, { shop, token: secret })).toBe(false);
    expect(await recogniseToken(ports, { shop, token: secret })).toBeNull();
  });

  test("shows a guest every unit of the order, and of no other", async () => {
    const { secret, open, viewerOf, see, give, send, id, other } = await guestLink();
    const viewer = (await viewerOf((await open(secret))?.secret ?? "")) ?? STRANGER;
    expect((await see(viewer)).map((one) => one.id).toSorted()).toEqual([id, other].toSorted());
    expect(await see({ kind: "guest", orderId: gid("Order", 1) })).toEqual([]);
    expect(await give(viewer, other)).toMatchObject({ kind: "saved" });
    expect(await send("pat@example.com", viewer)).toMatchObject({ kind: "handed_over" });
    expect(await give(viewer)).toEqual({ kind: "not_found" });
  });

  test("is a program's bearer for one visit when the program opens it", async () => {
    const { ports, shop, secret, open, clock } = await guestLink();
    const ask = () => recogniseToken(ports, { shop, token: secret });
    const asked = await Promise.all([ask(), ask(), ask()]);
    expect(asked.map((viewer) => viewer?.kind)).toEqual(["guest", "guest", "guest"]);
    expect(await open(secret)).toBeNull();
    clock.advance(2 * 3_600_000);
    expect(await ask()).toBeNull();
  });

  test("ends after 14 days, a visit after two hours", async () => {
    const { secret, open, viewerOf, clock } = await guestLink();
    clock.advance(14 * DAY_MS - 1);
    const visit = await open(secret);
    clock.advance(2 * 3_600_000 - 1);
    expect(await viewerOf(visit?.secret ?? "")).not.toBeNull();
    clock.advance(1);
    expect(await viewerOf(visit?.secret ?? "")).toBeNull();
    const late = await guestLink();
    late.clock.advance(14 * DAY_MS);
    expect(await late.open(late.secret)).toBeNull();
  });

  test("lets nobody in to another shop, and nobody while the app is uninstalled", async () => {
    const { ports, shop, secret, open, viewerOf } = await guestLink();
    const elsewhere = await installedShop(db);
    expect(await openLink(ports, { shop: elsewhere, token: secret })).toBeNull();
    const visit = await open(secret);
    expect(await viewerOf(visit?.secret ?? "")).not.toBeNull();
    await db.pool.query("UPDATE shops SET uninstalled_at = now() WHERE shop = $1", [shop]);
    expect(await viewerOf(visit?.secret ?? "")).toBeNull();
  });

  test("is renewed by mail to its own address, a few times a day", async () => {
    const { ports, shop, secret, open, runJobs, mails, token, clock } = await guestLink();
    await open(secret);
    const renew = (by: { token: string }) => renewLink(ports, { shop, by });
    await renew({ token: secret });
    await renew({ token: secret });
    await renew({ token: "x".repeat(43) });
    await runJobs();
    expect(mails.map(({ to, subject }) => [to, subject])).toEqual([
      ["sam@example.com", "We need a few details for your order (#1001)"],
      ["sam@example.com", "Your new link (#1001)"],
    ]);
    let latest = token(mails.at(-1));
    expect(await open(latest)).not.toBeNull();
    for (let n = 0; n < 6; n++) {
      clock.advance(1);
      await renew({ token: latest });
      await runJobs();
      latest = token(mails.at(-1));
    }
    expect(mails).toHaveLength(5);
  });

  test("to stop reminders opens nothing else, and stays good", async () => {
    const { ports, shop, mails, token, clock, runJobs, open, id } = await guestLink();
    clock.advance(2 * DAY_MS);
    await runJobs();
    const reminder = mails.at(-1);
    expect(reminder?.subject).toMatch(/reminder/);
    const stop = token(reminder, "stop");
    expect(reminder?.unsubscribeUrl).toContain(stop);
    expect(await open(stop)).toBeNull();
    expect(await canOpenLink(ports, { shop, token: stop })).toBe(false);
    await stopReminders(ports, { shop, token: stop });
    await stopReminders(ports, { shop, token: stop });
    clock.advance(30 * DAY_MS);
    await runJobs();
    expect(mails.at(-1)).toBe(reminder);
    // Nobody is reminded, and still somebody has to know.
    const { rows } = await db.pool.query("SELECT attention FROM referral_requests WHERE id = $1", [
      id,
    ]);
    expect(rows).toEqual([{ attention: "details_overdue" }]);
  });
});

describe("reminders", () => {
  async function asked() {
    const world = await start();
    await world.send();
    await world.runJobs();
    world.mails.length = 0;
    const afterDays = async (days: number) => {
      world.clock.advance(days * DAY_MS);
      await world.runJobs();
      return world.mails.map(({ to }) => to);
    };
    return { ...world, afterDays };
  }

  test("come on the days of the policy, then the merchant is told", async () => {
    const { afterDays, id } = await asked();
    expect(await afterDays(1.9)).toHaveLength(0);
    expect(await afterDays(0.1)).toEqual(["pat@example.com"]);
    expect(await afterDays(3)).toHaveLength(2);
    expect(await afterDays(5)).toHaveLength(3);
    expect(await afterDays(10.9)).toHaveLength(3);
    const attention = async () =>
      (await db.pool.query("SELECT attention FROM referral_requests WHERE id = $1", [id])).rows[0]
        .attention;
    expect(await attention()).toBeNull();
    expect(await afterDays(0.1)).toHaveLength(3);
    expect(await attention()).toBe("details_overdue");
  });

  test("end when the details were given, the unit was cancelled or went back", async () => {
    const given = await asked();
    await given.runJobs();
    await db.pool.query("UPDATE referral_requests SET state = 'created' WHERE id = $1", [given.id]);
    expect(await given.afterDays(30)).toEqual([]);
    const cancelled = await asked();
    await db.pool.query("UPDATE referral_requests SET state = 'cancelled' WHERE id = $1", [
      cancelled.id,
    ]);
    expect(await cancelled.afterDays(30)).toEqual([]);
    const { shop, ports, id, afterDays, mails } = await asked();
    await takeBack(ports, { shop, viewer: BUYER, requestId: id });
    expect(await afterDays(30)).toEqual([]);
    expect(mails).toEqual([]);
  });

  /** A buyer who was asked for the details of two units, gave those of one, and handed over the other. */
  async function askedBuyer() {
    const world = await start();
    const { shop, id, other, mails, runJobs, clock, give, ports } = world;
    const due = { requestId: id, kind: "details_needed" } as const;
    await db.tenancy.inShop(shop, async (tenant) => {
      await tenant.notifications.note(due, clock.now());
      await tenant.jobs.enqueue({ name: "send-mail", shop, ...due });
    });
    await runJobs();
    await give(BUYER, other);
    mails.length = 0;
    return {
      ...world,
      back: () => takeBack(ports, { shop, viewer: BUYER, requestId: id }),
      /** Whom was written to by then, since the last time. */
      async afterDays(days: number) {
        clock.advance(days * DAY_MS);
        await runJobs();
        return mails.splice(0).map(({ to }) => to);
      },
      async attention() {
        const { rows } = await db.pool.query<{ attention: string | null; stage: string }>(
          "SELECT attention, stage FROM referral_requests WHERE id = $1",
          [id],
        );
        return rows[0];
      },
    };
  }

  test("go on for the buyer when the unit that was handed over comes back", async () => {
    const { send, afterDays, back, attention } = await askedBuyer();
    await send();
    await afterDays(0);
    // The buyer has nothing to do: the patient alone is reminded.
    expect(await afterDays(2)).toEqual(["pat@example.com"]);
    await back();
    expect(await afterDays(3)).toEqual(["sam@example.com"]);
    expect(await afterDays(5)).toEqual(["sam@example.com"]);
    expect(await attention()).toMatchObject({ attention: null });
    await afterDays(11);
    expect(await attention()).toMatchObject({ attention: "details_overdue" });
  });

  test("go on for the buyer who gave details, handed the unit over nevertheless and took it back", async () => {
    const { send, afterDays, back, attention, give } = await askedBuyer();
    await give(BUYER);
    expect(await afterDays(2)).toEqual([]);
    await send();
    await afterDays(0);
    await back();
    expect(await afterDays(3)).toEqual(["sam@example.com"]);
    await afterDays(16);
    expect(await attention()).toMatchObject({ attention: "details_overdue", stage: "attention" });
  });

  test("are over when a unit comes back late: the merchant is told two days on, and once", async () => {
    const { send, afterDays, back, attention, shop, id } = await askedBuyer();
    await send();
    await afterDays(20);
    await send("other@example.com");
    await afterDays(10);
    await back();
    expect(await afterDays(1.9)).toEqual([]);
    expect(await attention()).toMatchObject({ attention: null, stage: "awaiting_details" });
    expect(await afterDays(0.1)).toEqual([]);
    expect(await attention()).toMatchObject({ attention: "details_overdue", stage: "attention" });
    await afterDays(60);
    const { rows } = await db.pool.query(
      "SELECT kind FROM timeline WHERE shop = $1 AND request_id = $2 AND kind = 'details_overdue'",
      [shop, id],
    );
    expect(rows).toHaveLength(1);
  });

  test("that the buyer stopped stay stopped for the buyer, and come to the patient", async () => {
    const { send, afterDays, back, attention, mails, token, ports, shop, clock, runJobs } =
      await askedBuyer();
    clock.advance(2 * DAY_MS);
    await runJobs();
    await stopReminders(ports, { shop, token: token(mails.at(-1), "stop") });
    mails.length = 0;
    await send();
    await afterDays(0);
    expect(await afterDays(2)).toEqual(["pat@example.com"]);
    await back();
    expect(await afterDays(30)).toEqual([]);
    expect(await attention()).toMatchObject({ attention: "details_overdue" });
  });

  test("that the patient stopped come to the buyer to whom the unit went back", async () => {
    const { send, afterDays, back, mails, token, ports, shop, clock, runJobs } = await askedBuyer();
    await send();
    clock.advance(2 * DAY_MS);
    await runJobs();
    await stopReminders(ports, { shop, token: token(mails.at(-1), "stop") });
    mails.length = 0;
    expect(await afterDays(3)).toEqual([]);
    await back();
    expect(await afterDays(5)).toEqual(["sam@example.com"]);
  });

  test("that both of them stopped stay stopped for the buyer to whom the unit went back", async () => {
    const { send, afterDays, back, mails, token, ports, shop, clock, runJobs } = await askedBuyer();
    const stop = () => stopReminders(ports, { shop, token: token(mails.at(-1), "stop") });
    clock.advance(2 * DAY_MS);
    await runJobs();
    await stop();
    await send();
    clock.advance(2 * DAY_MS);
    await runJobs();
    await stop();
    mails.length = 0;
    await back();
    expect(await afterDays(30)).toEqual([]);
  });

  test("end for the one who was mailed the link, whoever has the unit by then", async () => {
    const { send, afterDays, back, mails, token, ports, shop, clock, runJobs } = await askedBuyer();
    const reminded = async () => {
      clock.advance(2 * DAY_MS);
      await runJobs();
      return token(mails.at(-1), "stop");
    };
    const buyers = await reminded();
    await send();
    const patients = await reminded();
    mails.length = 0;
    await stopReminders(ports, { shop, token: buyers });
    expect(await afterDays(3)).toEqual(["pat@example.com"]);
    // The next patient is somebody else, and has stopped nothing.
    await send("other@example.com");
    await stopReminders(ports, { shop, token: patients });
    await afterDays(0);
    expect(await afterDays(2)).toEqual(["other@example.com"]);
    await back();
    expect(await afterDays(30)).toEqual([]);
  });

  test("say nothing of a unit that came back late and was dealt with in time", async () => {
    for (const deal of ["give", "send"] as const) {
      const { send, give, afterDays, back, attention } = await askedBuyer();
      await send();
      await afterDays(20);
      await send("other@example.com");
      await afterDays(10);
      await back();
      await (deal === "give" ? give(BUYER) : send("third@example.com"));
      await afterDays(3);
      expect(await attention()).toMatchObject({ attention: null });
    }
  });
});
