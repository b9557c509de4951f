import { randomUUID } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import { alertRun } from "../../../test/database/alert-run.ts";
import { openTestDatabase } from "../../../test/database/database.ts";
import { IN_DATABASE } from "../../../test/database/in-database.ts";
import { untilWaiting } from "../../../test/database/locks.ts";
import { startMailServer } from "../../../test/database/mail-server.ts";
import { orderInStore } from "../../../test/database/order-in-store.ts";
import {
  connect,
  installedShop,
  mapVariant,
  orderLine,
  storeOrder,
} from "../../../test/database/seed.ts";
import { resultSnapshot } from "../../../test/database/snapshots.ts";
import { createLogger } from "../../platform/logger.ts";
import { shortKey } from "../../queue/short-key.ts";
import { gid } from "../kernel/ids.ts";
import { maintainShop } from "../lifecycle/maintain-shop.ts";
import { createTimelineEnder } from "../privacy/postgres/timeline-ender.ts";
import { apply } from "../referrals/apply.ts";
import { type AlertKind, CONTACT_ID } from "../shops/alert.ts";
import { saveAlerts } from "../shops/save-alerts.ts";
import { ATTENTION_EVERY_MS, alertAttention } from "./alert-attention.ts";
import { alertDaily } from "./alert-daily.ts";
import { markHandled } from "./mark-handled.ts";

const db = await openTestDatabase();
const server = await startMailServer();
afterAll(() => server.stop());

const UNMAPPED = orderLine({ number: 2, title: "Secret product" });

/** A shop whose orders can come to need somebody, with the emails that its contact address gets. */
async function open(kinds?: AlertKind[]) {
  const shop = await installedShop(db);
  await connect(db, shop);
  await mapVariant(db, shop, gid("ProductVariant", 1));
  const contact = `owner-of-${shop.split(".")[0]}@example.com`;
  const run = alertRun(db, shop, server.url);
  await db.tenancy.inShop(shop, (tenant) => tenant.shops.setContactEmail(contact));
  const { ports } = run;
  if (kinds) {
    const wished = { email: null, kinds };
    await saveAlerts(ports, { shop, id: CONTACT_ID, wished, actor: "staff:7" });
  }
  const buy = async (number: number, lines = [orderLine(), UNMAPPED]) => {
    const id = gid("Order", number);
    const inStore = await orderInStore(db, shop, id);
    await inStore.read(storeOrder({ id, name: `#${number}`, lines }));
    return inStore;
  };
  return {
    ...{ shop, contact, buy, ...run },
    attention: () => alertAttention(ports, { shop }),
    daily: (day: string) => alertDaily(ports, { shop, day }),
    handle: (number: number) =>
      markHandled(ports, {
        ...{ shop, orderId: gid("Order", number), actor: "staff:7", reason: null },
      }),
    taken: () =>
      server.taken.flatMap((one) =>
        one.startsWith(`${contact} `) ? [one.slice(contact.length + 1)] : [],
      ),
  };
}

test("tells of orders though the last email was noted by a clock that was ahead", async () => {
  const { attention, buy, clock } = await open();
  await buy(1001);
  expect(await attention()).toBe("told");
  clock.advance(-3 * 24 * 3_600_000);
  await buy(1002);
  expect(await attention()).toBe("told");
});

test("tells of an order that comes to need somebody again at the moment in which its former need is collected", async () => {
  const { shop, attention, buy, handle } = await open();
  await buy(1001);
  await handle(1001);
  const id = gid("Order", 1001);
  const noted = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  const needing = db.tenancy.inShop(shop, async ({ orders, alerts }) => {
    await orders.setAttention(id, ["no_contact", "unmapped_line"]);
    await alerts.noteAttention(id);
    noted.resolve();
    await end.promise;
  });
  await noted.promise;
  const collecting = attention();
  await untilWaiting(db, 1, collecting);
  end.resolve();
  await needing;
  expect([await collecting, await attention()]).toContain("told");
});

test("collects orders that come to need somebody, and tells them once an hour at most", async () => {
  const { attention, buy, clock, mails, runJobs, taken } = await open();
  expect(await attention()).toBe("nothing_to_tell");
  await buy(1001);
  await buy(1002);
  expect((await Promise.all([attention(), attention()])).toSorted()).toEqual([
    "nothing_to_tell",
    "told",
  ]);
  expect(await runJobs()).toEqual(["sent"]);
  await buy(1003);
  clock.advance(ATTENTION_EVERY_MS - 1);
  expect(await attention()).toBe("nothing_to_tell");
  clock.advance(1);
  expect(await attention()).toBe("told");
  expect(await runJobs()).toEqual(["sent"]);
  clock.advance(ATTENTION_EVERY_MS);
  expect(await attention()).toBe("nothing_to_tell");
  expect(taken()).toEqual(["2 orders need your attention", "1 order needs your attention"]);
  const [first] = mails;
  expect(first?.text).toMatch(/since the last email: (#1001, #1002|#1002, #1001)\./);
  expect(first?.text).toContain("https://admin.example/app/attention");
  expect(first?.text).not.toContain("Secret product");
});

test("leaves out what was handled before the email, and what a result is why", async () => {
  const { attention, buy, clock, handle, runJobs, shop, taken } = await open();
  await buy(1001);
  await handle(1001);
  const bought = await buy(1002, [orderLine()]);
  const [request] = await bought.requests();
  await db.tenancy.inShop(shop, (tenant) => tenant.alerts.noteAttention(gid("Order", 1002)));
  await db.pool.query(
    "UPDATE referral_requests SET stage = 'attention', reason_code = 'urgent_result_held' WHERE id = $1",
    [request?.id],
  );
  expect(await attention()).toBe("nothing_to_tell");
  clock.advance(ATTENTION_EVERY_MS);
  const late = await buy(1003, [orderLine()]);
  const [other] = await late.requests();
  const step = { actor: "pathway", at: clock.now() } as const;
  const overdue = { kind: "details_overdue" } as const;
  await db.tenancy.inShop(shop, (tenant) => apply(tenant, other?.id ?? "", overdue, step));
  expect(await attention()).toBe("told");
  await runJobs();
  expect(taken()).toEqual(["1 order needs your attention"]);
});

test("keeps nothing for later when nobody wants these emails", async () => {
  const { attention, buy, rows } = await open(["outage"]);
  await buy(1001);
  expect(await attention()).toBe("nothing_to_tell");
  expect(await rows()).toEqual([]);
  const { rowCount } = await db.pool.query("SELECT FROM attention_news");
  expect(rowCount).toBe(0);
});

test("sums a day up at 8:00 by the store's own clock, once, and only when something happened", async () => {
  const { buy, clock, daily, mails, runJobs, shop, taken } = await open(["daily"]);
  await db.tenancy.inShop(shop, (tenant) =>
    tenant.shops.recordFacts({ timeZone: "Australia/Perth" }),
  );
  // 20 November 2026, 8:00 in Perth.
  const bought = await buy(1001);
  await buy(1002);
  const [request] = await bought.requests();
  const form = {
    ...{ id: randomUUID(), requestId: request?.id ?? "", customerId: null },
    ...{
      kind: "referral" as const,
      sourceUuid: randomUUID(),
      partial: false,
      sha256: "1",
      bytes: 1,
    },
  };
  await db.tenancy.inShop(shop, async ({ documents }) => {
    await documents.store(form, Buffer.from("pdf"), clock.now());
    const again = { ...form, id: randomUUID(), sha256: "2" };
    await documents.store(again, Buffer.from("pdf 2"), clock.now());
  });
  const [withReport, withoutReport] = [resultSnapshot(), resultSnapshot()];
  const saveResult = (snapshot: typeof withReport, at: Date) =>
    db.tenancy.inShop(shop, (tenant) =>
      tenant.results.save({
        ...{ environment: "staging", requestId: form.requestId, snapshot, at },
        ...{ partial: false, inReview: false, otherPerson: false, releasedAt: at },
      }),
    );
  await saveResult(withReport, clock.now());
  await saveResult(withoutReport, clock.now());
  await db.tenancy.inShop(shop, ({ documents }) => {
    const report = { ...form, id: randomUUID(), kind: "result" as const };
    const stored = { ...report, sourceUuid: withReport.uuid };
    return documents.store(stored, Buffer.from("pdf"), clock.now());
  });
  clock.advance(24 * 3_600_000 - 1);
  expect(await daily("2026-11-20")).toBe("nothing_to_tell");
  clock.advance(1);
  expect(await daily("2026-11-19")).toBe("nothing_to_tell");
  expect((await Promise.all([daily("2026-11-20"), daily("2026-11-20")])).toSorted()).toEqual([
    "nothing_to_tell",
    "told",
  ]);
  expect(await runJobs()).toEqual(["sent"]);
  // Read anew on the next day, a result does not come a second time.
  await saveResult(withoutReport, clock.now());
  clock.advance(24 * 3_600_000);
  expect(await daily("2026-11-21")).toBe("nothing_to_tell");
  expect(taken()).toEqual(["Your tests on Fri 20 Nov 2026"]);
  for (const line of [
    "2 paid orders with tests",
    "1 referral form issued",
    "2 results received",
    "1 result report received as PDF",
    "2 orders wait for patient details",
    "2 orders need your attention",
  ])
    expect(mails[0]?.text).toContain(`${line}\n`);
});

test("tells a day on which nothing came but a result without a report", async () => {
  const { buy, clock, daily, mails, runJobs, shop } = await open(["daily"]);
  const [request] = await (await buy(1001)).requests();
  clock.advance(48 * 3_600_000);
  const at = clock.now();
  await db.tenancy.inShop(shop, (tenant) =>
    tenant.results.save({
      ...{ environment: "staging", requestId: request?.id ?? "", snapshot: resultSnapshot(), at },
      ...{ partial: false, inReview: false, otherPerson: false, releasedAt: at },
    }),
  );
  clock.advance(24 * 3_600_000);
  expect(await daily(at.toISOString().slice(0, 10))).toBe("told");
  await runJobs();
  for (const line of ["0 paid orders", "1 result received", "0 result reports received as PDF"])
    expect(mails[0]?.text).toContain(line);
});

test.each([
  ["Australia/Sydney", "2026-10-03T20:59:59Z", "2026-10-03T21:00:00Z", "2026-10-03"],
  ["Australia/Sydney", "2026-10-02T22:00:00Z", "2026-10-03T21:00:00Z", "2026-10-03"],
  ["Australia/Perth", "2026-11-20T00:00:00Z", "2026-11-21T00:00:00Z", "2026-11-20"],
])("in %s, the morning after %s is %s", async (timeZone, now, at, day) => {
  const { shop } = await open();
  const next = await db.tenancy.inShop(shop, (tenant) =>
    tenant.alerts.nextMorning(new Date(now), timeZone),
  );
  expect({ at: next.at.toISOString(), day: next.day }).toEqual({
    ...{ at: new Date(at).toISOString(), day },
  });
});

test("has the next morning's summary written, by one job however often a shop is looked after", async () => {
  const { clock, ports, shop } = await open([]);
  const logger = createLogger("silent");
  const maintain = () =>
    maintainShop(
      {
        ...ports,
        logger,
        documentBodies: IN_DATABASE,
        timelineEnder: createTimelineEnder(db.pool),
        waits: { reminderDayMs: 86_400_000 },
        maintenanceIntervalMs: 3_600_000,
      },
      { shop },
    );
  const summaries = async () => {
    const { rows } = await db.pool.query(
      `SELECT DISTINCT payload->>'day' AS day, start_after AS at, singleton_key AS key FROM outbox
       WHERE shop = $1 AND name = 'alert-daily'`,
      [shop],
    );
    return rows;
  };
  await maintain();
  expect(await summaries(), "nobody wants one").toEqual([]);
  const wished = { email: null, kinds: ["daily" as const] };
  await saveAlerts(ports, { shop, id: CONTACT_ID, wished, actor: "staff:7" });
  await maintain();
  clock.advance(3_600_000);
  await maintain();
  const at = new Date("2026-11-20T21:00:00Z");
  expect(await summaries()).toEqual([
    { day: "2026-11-20", at, key: shortKey(`${shop} 2026-11-20@${at.getTime()}`) },
  ]);
});
