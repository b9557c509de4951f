import { afterEach, expect, test } from "vitest";
import { eventually, shareWorld } from "../harness/index.ts";
import { goShopping, only } from "./shopping.ts";

const world = await shareWorld();
const shopping = goShopping(world);
afterEach(() => world.store.setFaults({}));

test("an address that refuses mail needs a person, and gets its mail when staff send it again", async () => {
  const buyer = await shopping.newShopper();
  await world.store.setFaults({ mail: { refuse: [{ to: buyer.email }] } });
  const order = await shopping.buy(buyer, [[shopping.product("tests").variantId, 1]]);
  const { id } = only(
    await shopping.requestsWhen(order, 1, ({ state }) => expect(state).toBe("awaiting_details")),
  );
  const needsPerson = () =>
    world.sql.count(
      `SELECT count(*) FROM referral_requests
       WHERE id = $1 AND mail_refused_at IS NOT NULL AND stage = 'attention' AND reason_code = 'mail_refused'`,
      [id],
    );
  const mails = async () =>
    (await world.store.mail()).filter(({ to }) => to === buyer.email).length;
  await eventually(async () => expect(await needsPerson()).toBe(1));
  expect(await mails()).toBe(0);
  expect(await world.pages.open("/app/attention")).toContain("Ring or send again");

  await world.store.setFaults({});
  const page = `/app/orders/${order.id.split("/").at(-1)}`;
  await world.pages.submit(page, { intent: "retry-mails", requestId: id });
  await eventually(async () => expect(await mails()).toBe(1));
  await eventually(async () => expect(await needsPerson()).toBe(0));
});
