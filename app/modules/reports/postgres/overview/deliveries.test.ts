import { expect, test } from "vitest";
import { openTestDatabase } from "../../../../../test/database/database.ts";
import { startEvents } from "../../../../../test/database/service-events.ts";
import { describeDelivery } from "../../delivery-words.ts";

const db = await openTestDatabase();

async function start() {
  const events = await startEvents(db);
  const log = (limit = 20) =>
    db.tenancy.inShop(events.shop, (tenant) => tenant.overview.deliveries(limit));
  const told = async () =>
    (await log()).map(describeDelivery).map(({ subject, ledTo }) => `${subject}: ${ledTo}`);
  return { ...events, log, told };
}

test("an event is told from its arrival to the fetch that it led to, with its order", async () => {
  const { receive, event, told, log, store, clock, shop } = await start();
  const handle = await receive(event("referral.issued"));
  expect(await told()).toEqual(["Event: Waits to be looked at"]);
  await handle();
  expect(await told()).toEqual(["Form issued: Asked for at the service"]);
  clock.advance(1_000);
  await store("ISSUED");
  expect(await told()).toEqual(["Form issued: Fetched from the service"]);
  const { rows } = await db.pool.query("SELECT order_id FROM referral_requests WHERE shop = $1", [
    shop,
  ]);
  expect(await log()).toMatchObject([{ orderId: rows[0].order_id }]);
});

test("what a create call had told is nothing new; what cannot be read has everything compared", async () => {
  const { receive, event, told, store, clock } = await start();
  await store("CREATED");
  await (await receive(event("referral.created")))();
  clock.advance(1_000);
  await (await receive("{"))();
  expect(await told()).toEqual([
    "Event: All orders are compared with the service’s list",
    "Referral created: Nothing new",
  ]);
});

test("a type that the interface does not know is not kept: it might tell of a finding", async () => {
  const { receive, event, shop } = await start();
  await (await receive(event("result.hiv_reactive")))();
  const { rows } = await db.pool.query("SELECT event_type, led_to FROM inbox WHERE shop = $1", [
    shop,
  ]);
  expect(rows).toEqual([{ event_type: null, led_to: "fetch" }]);
});

test("refused events stand among the others, by time, and the list has an end", async () => {
  const { receive, event, log, shop, clock } = await start();
  const refuse = (count: number) =>
    db.tenancy.inShop(shop, ({ accessLog }) =>
      accessLog.add({
        ...{ at: clock.now(), who: "unknown", what: "signature_refused" },
        detail: { place: "service_event", count },
      }),
    );
  await receive(event("referral.issued"));
  clock.advance(1_000);
  await refuse(9);
  clock.advance(1_000);
  await receive(event("referral.complete"));
  expect((await log()).map((one) => one.kind)).toEqual(["accepted", "refused", "accepted"]);
  expect((await log(2)).map(describeDelivery)[1]).toMatchObject({
    subject: "9 events",
    verdict: "Rejected: wrong signature",
  });
  expect(await log(2)).toHaveLength(2);
});
