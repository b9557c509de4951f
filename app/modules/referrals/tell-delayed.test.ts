import { beforeEach, expect, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import { BUYER, startInvitation } from "../../../test/database/invitation.ts";
import { putRequest } from "../../../test/database/put-request.ts";
import type { RequestState } from "./request.ts";
import { plainReason } from "./review-reason.ts";
import { DELAYED_STATES, tellDelayed } from "./tell-delayed.ts";

const db = await openTestDatabase();
const DAY_MS = 86_400_000;
const SUBJECT = "Your order is taking longer than expected";
let world: Awaited<ReturnType<typeof startInvitation>>;

/** A customer's order of two units. */
beforeEach(async () => {
  world = await startInvitation(db, { guest: true });
});

const put = (id: string, state: RequestState) =>
  db.tenancy.inShop(world.shop, (tenant) => putRequest(tenant, id, { state }));

/** Nothing of the order was touched for so long. */
const rest = (hours: number) =>
  db.pool.query(
    "UPDATE referral_requests SET updated_at = now() - make_interval(hours => $2) WHERE shop = $1",
    [world.shop, hours],
  );

async function look(): Promise<number> {
  const told = await db.tenancy.inShop(world.shop, (tenant) =>
    tellDelayed(tenant, { now: world.clock.now(), dayMs: DAY_MS }),
  );
  await world.runJobs();
  return told;
}

test.each(DELAYED_STATES)("tells the owner once of a unit that is %s for a day", async (state) => {
  await put(world.id, state);
  await rest(23);
  expect(await look()).toBe(0);
  expect(world.mails).toEqual([]);
  await rest(25);
  expect(await look()).toBe(1);
  expect(await look()).toBe(0);
  const [mail, ...others] = world.mails;
  expect(others).toEqual([]);
  expect(mail?.subject).toBe(`${SUBJECT} (#1001)`);
  expect(mail?.text).toContain("Test 1 of 2");
  expect(mail?.text).not.toContain("Test 2 of 2");
  // Not what was ordered, and not what is wrong with it.
  expect(`${mail?.text} ${mail?.html}`).not.toMatch(/iron|ferritin|held|reject|risk/i);
  const { rows } = await db.pool.query(
    "SELECT detail FROM timeline WHERE shop = $1 AND kind = 'mail_sent'",
    [world.shop],
  );
  expect(rows).toHaveLength(1);
});

test("tells a buyer of all their units in one email", async () => {
  await put(world.id, "held");
  await put(world.other, "ambiguous");
  await rest(25);
  expect(await look()).toBe(1);
  expect(world.mails.map(({ text }) => text.match(/Test \d of 2/g))).toEqual([
    ["Test 1 of 2", "Test 2 of 2"],
  ]);
});

test("tells a buyer and an invited patient each of their own unit", async () => {
  world = await startInvitation(db);
  await world.send();
  await world.enter();
  world.mails.length = 0;
  await put(world.id, "held");
  await put(world.other, "rejected");
  await rest(25);
  expect(await look()).toBe(2);
  expect(world.mails.map(({ to }) => to).sort()).toEqual(["pat@example.com", "sam@example.com"]);
});

test.each(["awaiting_details", "created", "cancelled"] as const)(
  "has nothing to tell of a unit that is %s",
  async (state) => {
    await put(world.id, state);
    await rest(100);
    expect(await look()).toBe(0);
  },
);

test("tells nobody out of the blue of what was left standing for weeks", async () => {
  await put(world.id, "rejected");
  await rest(15 * 24);
  expect(await look()).toBe(0);
});

test("tells nobody of what staff have marked as handled", async () => {
  await put(world.id, "rejected");
  await db.tenancy.inShop(world.shop, (tenant) =>
    putRequest(tenant, world.id, { state: "rejected", handledReason: plainReason("rejected") }),
  );
  await rest(25);
  expect(await look()).toBe(0);
});

test("says nothing when the unit is ordered before the mail is out", async () => {
  await put(world.id, "held");
  await rest(25);
  await db.tenancy.inShop(world.shop, (tenant) =>
    tellDelayed(tenant, { now: world.clock.now(), dayMs: DAY_MS }),
  );
  await put(world.id, "created");
  await world.runJobs();
  expect(world.mails).toEqual([]);
});

test("says on the owner's page what the email says, for as long as the unit is not ordered", async () => {
  world = await startInvitation(db);
  const steps = async () =>
    new Map((await world.see(BUYER)).map(({ id, nextStep }) => [id, nextStep] as const));
  const preparing = "We are preparing the referral form. You don’t need to do anything.";
  await put(world.id, "held");
  expect((await steps()).get(world.id)).toBe(preparing);
  await rest(25);
  await put(world.other, "ready");
  expect(await look()).toBe(1);
  const told = await steps();
  expect(told.get(world.id)).toBe(
    "We can’t go on with this test yet, because we have to look into something first. You don’t need to do anything now: we will email you when there is news. If you would rather not wait, contact the shop.",
  );
  // Its details were given just now.
  expect(told.get(world.other)).toBe(preparing);
  await put(world.id, "created");
  expect((await steps()).get(world.id)).toBe(preparing);
});
