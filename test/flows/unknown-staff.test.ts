import { afterAll, expect, test } from "vitest";
import { eventually, QUICK_WORLD, startWorld } from "../harness/index.ts";
import { goShopping } from "./shopping.ts";
import { BROWSER, nothingIsShown } from "./staff-addresses.ts";
import { storeCalls } from "./store-calls.ts";

// A world of its own: nobody's colleagues have been here yet.
const world = await startWorld(QUICK_WORLD);
afterAll(() => world.stop(), 60_000);
const shopping = goShopping(world);

test("a first visit is shown nothing while Shopify does not tell of which store it is, and is let in afterwards", async () => {
  const buyer = await shopping.newShopper();
  const { order } = await shopping.buyToForm(buyer, 1, "tests");
  const calls = storeCalls(world);
  const colleague = (await calls.staff()).at(-1)?.id;
  const token = () => calls.staffToken(world.line.store.shop, colleague);

  await world.store.setFaults({ graphqlStatus: 500 });
  await nothingIsShown(world, {
    ...{ token, orderId: order.id },
    answers: { status: 503, words: "told Pathway who you are" },
  });
  expect(
    await world.sql.count("SELECT count(*) FROM staff_members WHERE NOT is_account_owner"),
  ).toBe(0);
  // Somebody who is known goes on meanwhile.
  expect(await world.pages.open("/app/referrals")).toContain(order.name);

  await world.store.setFaults({});
  await eventually(
    async () => {
      const answer = await fetch(`${world.line.app_url}/app/referrals`, {
        headers: { authorization: `Bearer ${await token()}`, "user-agent": BROWSER },
      });
      expect(await answer.text()).toContain(order.name);
    },
    { what: "the colleague's page", timeoutMs: 90_000, intervalMs: 1_000 },
  );
});
