import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { eventually, startWorld, type TestWorld } from "../harness/index.ts";
import { oneReferralEach } from "./at-the-service.ts";
import { dueWork, requestsOf } from "./rows.ts";
import { goShopping, only, type Shopping } from "./shopping.ts";
import { postWebhook } from "./webhook-post.ts";

let world: TestWorld;
let shopping: Shopping;
beforeAll(async () => {
  // The regular look is left out: these tests look when they want to.
  world = await startWorld({ env: { PATHWAY_SYNC_INTERVAL_MS: "2000" } });
  shopping = goShopping(world);
});
afterAll(() => world?.stop(), 60_000);

const day = (daysAgo: number) =>
  new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);

test("orders whose messages never came are found from the settings, and get their referrals once", async () => {
  const buyer = await shopping.newShopper();
  const known = await shopping.buy(buyer, [[shopping.product("tests").variantId, 1]]);
  await shopping.requestsWhen(known, 1);
  await world.store.setFaults({ webhooks: { drop: true } });
  const missed = [
    await shopping.buy(buyer, [[shopping.product("tests").variantId, 2]]),
    await shopping.buy(buyer, [[shopping.product("bundle").variantId, 1]]),
  ];
  const byNumber = await shopping.buy(buyer, [[shopping.product("tests").variantId, 1]]);
  await world.store.setFaults({});
  await world.pages.submit("/app/settings", { intent: "import-order", order: byNumber.name });
  await shopping.requestsWhen(byNumber, 1);

  await world.pages.submit("/app/settings", { intent: "import-orders", since: day(3) });
  await shopping.requestsWhen(missed[0] ?? known, 2);
  await shopping.requestsWhen(missed[1] ?? known, 1);
  const found = await eventually(async () => {
    const [row] = await world.sql.rows(
      z.object({ state: z.string(), imported: z.number(), seen: z.number() }),
      "SELECT state, imported, seen FROM order_imports WHERE asked_by LIKE 'staff:%'",
    );
    expect(row?.state).toBe("done");
    return row;
  });
  expect(found?.imported).toBe(2);
  expect(found?.seen).toBeGreaterThanOrEqual(4);
  expect(await world.pages.open("/app/settings")).toContain("2 were missing and imported");

  const requests = (await Promise.all(missed.map(({ id }) => requestsOf(world.sql, id)))).flat();
  await shopping.giveDetails(buyer, requests);
  await eventually(() => oneReferralEach(world, requests));
  await expect(
    world.pages.submit("/app/settings", { intent: "import-order", order: "#999999" }),
  ).rejects.toThrow(/422/);
});

test("a customer’s data is handed out when asked for, and gone when that is asked for", async () => {
  const canary = `Zephyrine${process.pid}`;
  const buyer = await shopping.newShopper({ firstName: canary });
  const { order, requests } = await shopping.buyToForm(buyer);
  const [referral] = await oneReferralEach(world, requests);
  await world.console.sendResults(referral?.uuid ?? "");
  const id = only(requests).id;
  await eventually(async () => {
    const own = (await buyer.api.requests()).find((one) => one.orderId === order.id);
    expect(own?.state).toBe("results_ready");
  });
  await world.store.privacy("customers/data_request", { customerId: buyer.id });
  const asked = await eventually(() => donePrivacyRequest("customer_data_requested"));
  const why = { reason: "patient_asked" };
  const held = await world.pages.submit(`/app/privacy/${asked}`, why);
  expect(held).toContain(canary);
  expect(held).toContain("biomarkers");

  await world.store.privacy("customers/redact", { customerId: buyer.id });
  await eventually(() => donePrivacyRequest("customer_redacted"));
  expect(await buyer.api.requests()).toEqual([]);
  await expect(world.pages.submit(`/app/privacy/${asked}`, why)).rejects.toThrow(/404/);
  // Nobody writes it down again: not the service sync, not an event, not a late message about the order.
  await world.console.sendResults(referral?.uuid ?? "", { seed: 7 });
  const eventId = `late-${process.pid}`;
  const number = Number(order.id.slice(order.id.lastIndexOf("/") + 1));
  const body = JSON.stringify({ id: number });
  await postWebhook(world, { topic: "orders/updated", body, eventId });
  await eventually(async () => expect(await dueWork(world.sql)).toEqual([]), {
    what: "the work to be done",
  });
  expect(
    await world.sql.count(
      `SELECT (SELECT count(*) FROM results WHERE request_id = $1)
            + (SELECT count(*) FROM documents WHERE request_id = $1)
            + (SELECT count(*) FROM referrals WHERE request_id = $1 AND length(snapshot_sealed) > 0)
            + (SELECT count(*) FROM referral_requests WHERE id = $1 AND patient_sealed IS NOT NULL)
            + (SELECT count(*) FROM orders WHERE order_id = $2 AND buyer_sealed IS NOT NULL)`,
      [id, order.id],
    ),
  ).toBe(0);
});

test("a shop that left is forgotten, and one that is back is not", async () => {
  const shop = world.line.store.shop;
  const [store] = await world.sql.rows(
    z.object({ id: z.string().nullable() }),
    "SELECT store_id AS id FROM shops WHERE shop = $1",
    [shop],
  );
  const shop_id = Number(store?.id?.split("/").at(-1) ?? 1);
  const body = JSON.stringify({ shop_id, shop_domain: shop });
  const asked = (triggeredAt: Date) =>
    postWebhook(world, { topic: "shop/redact", body, triggeredAt });
  await world.store.uninstall();
  const left = new Date();
  await eventually(async () =>
    expect(await world.sql.count("SELECT count(*) FROM shops WHERE uninstalled_at IS NULL")).toBe(
      0,
    ),
  );
  await world.store.install();
  await asked(new Date(left.getTime() + 1));
  await eventually(() => donePrivacyRequest("shop_redacted"));
  expect(await world.sql.count("SELECT count(*) FROM orders")).toBeGreaterThan(0);

  await world.store.uninstall();
  await eventually(async () =>
    expect(await world.sql.count("SELECT count(*) FROM shops WHERE uninstalled_at IS NULL")).toBe(
      0,
    ),
  );
  await asked(new Date());
  await eventually(async () =>
    expect(await world.sql.count("SELECT count(*) FROM erasures")).toBe(1),
  );
  const tables = await world.sql.rows(
    z.object({ name: z.string() }),
    `SELECT table_name AS name FROM information_schema.columns
     WHERE table_schema = 'public' AND column_name = 'shop' AND table_name NOT IN (${MADE_ANEW})`,
  );
  for (const { name } of tables)
    expect(
      await world.sql.count(`SELECT count(*) FROM ${name} WHERE shop = $1`, [shop]),
      name,
    ).toBe(0);

  // It can come back, as if it had never been there.
  await world.store.install();
  await eventually(async () =>
    expect(await world.sql.count("SELECT epoch FROM shops WHERE shop = $1", [shop])).toBe(1),
  );
});

/** Keys, which work that is still under way makes anew. They seal nothing, and end a day later (app/process-duties.test.ts). */
const MADE_ANEW = "'key_epochs', 'data_keys'";

/** The message that brought the latest privacy request of a kind, once Pathway has done it. */
async function donePrivacyRequest(kind: string): Promise<string> {
  const [row] = await world.sql.rows(
    z.object({ id: z.string() }),
    `SELECT inbox_id::text AS id FROM privacy_requests WHERE kind = $1 AND done_at IS NOT NULL
     ORDER BY opened_at DESC LIMIT 1`,
    [kind],
  );
  if (!row) throw new Error(`${kind} is not done`);
  return row.id;
}
