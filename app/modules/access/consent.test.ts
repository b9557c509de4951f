import { expect, test } from "vitest";
import { enterShop } from "../../../test/database/act-as-shop.ts";
import { openTestDatabase } from "../../../test/database/database.ts";
import { BUYER, STRANGER, startInvitation } from "../../../test/database/invitation.ts";
import { PATIENT, storeOrder } from "../../../test/database/seed.ts";
import { NOTICE_VERSION } from "../patients/collection-notice.ts";
import { readOrder } from "../reports/read-order.ts";
import { listConsents } from "./list-consents.ts";
import { savePatientDetails } from "./save-patient-details.ts";

const db = await openTestDatabase();

async function start() {
  const world = await startInvitation(db);
  const { shop, id } = world;
  const consents = () => db.tenancy.inShop(shop, (tenant) => tenant.consents.forRequest(id));
  return { ...world, consents };
}

test("tells that staff can open results with a reason, and for how long the shop keeps them", async () => {
  const { shop, seeOne } = await start();
  const notice = async () => (await seeOne(BUYER))?.notice?.paragraphs.join("\n") ?? "";
  expect(await notice()).toMatch(
    /Staff of Example Health .* can open the results, .* only by giving a reason and for 15 minutes/,
  );
  expect(await notice()).not.toMatch(/staff cannot/i);
  expect(await notice()).toContain("7 years after the last change");
  expect(await notice()).toContain(`https://${shop}/policies/privacy-policy`);
  await db.tenancy.inShop(shop, (tenant) => tenant.shops.setRetention(18));
  expect(await notice()).toContain("18 months after the last change");
});

test("has in sight who gets the details, who sees the results, and how to withdraw and complain", async () => {
  const { seeOne, send, enter } = await start();
  const inSight = async (viewer = BUYER) => {
    const notice = (await seeOne(viewer))?.notice;
    return notice?.paragraphs.slice(0, notice.inSight) ?? [];
  };
  const lines = await inSight();
  expect(lines).toHaveLength(4);
  for (const words of [
    /Example Health collects/,
    /laboratory/,
    /whoever bought/,
    /withdraw.*complain/,
  ])
    expect(lines.join("\n")).toMatch(words);
  // A phone shows it above the first field.
  expect(lines.join(" ").length).toBeLessThan(650);
  await send();
  expect((await inSight(await enter())).join("\n")).toContain("Whoever bought this test doesn't");
});

test("tells what of the details staff see without a reason, and when", async () => {
  const { seeOne } = await start();
  const notice = (await seeOne(BUYER))?.notice?.paragraphs.join("\n") ?? "";
  // The list of held results names them (read-reviews.ts).
  expect(notice).toMatch(/reviewer of held results sees the patient’s name and age/);
  // An order whose emails are refused shows whom to ring (read-phones.ts, read-mails.ts).
  expect(notice).toMatch(/emails can’t be delivered, .* phone number/);
  expect(notice).toMatch(/email address/);
});

test("names the recipient, other countries, the policy and who takes complaints, as the shop set them", async () => {
  const { shop, seeOne } = await start();
  const notice = async () => (await seeOne(BUYER))?.notice?.paragraphs.join("\n") ?? "";
  expect(await notice()).toContain("ask Example Health whether this information is sent outside");
  expect(await notice()).toContain("Complaints: first contact Example Health");
  const said = {
    recipient: "Example Pathology Pty Ltd",
    sendsOverseas: true,
    countries: "New Zealand",
    policyUrl: "https://example.com/privacy",
    complaints: "the privacy officer, privacy@example.com",
  };
  const say = (change: Partial<typeof said>) =>
    db.tenancy.inShop(shop, (tenant) =>
      tenant.shops.updateSettings({ notice: { ...said, ...change } }),
    );
  await say({});
  expect(await notice()).toContain("to Example Pathology Pty Ltd, who prepares");
  expect(await notice()).toContain("likely to be sent outside Australia, to New Zealand.");
  expect(await notice()).toContain("The privacy policy says more: https://example.com/privacy");
  expect(await notice()).toMatch(/first contact the privacy officer, privacy@example.com. .*OAIC/);
  await say({ sendsOverseas: false });
  expect(await notice()).toContain("isn't sent outside Australia");
});

test("tells an invited patient what the buyer sees, and the buyer what a buyer sees", async () => {
  const { send, enter, seeOne } = await start();
  const [buyers] = [await seeOne(BUYER)];
  expect(buyers?.notice?.paragraphs.join()).toContain("whoever bought this test sees the details");
  await send();
  const patient = await enter();
  expect((await seeOne(patient))?.notice?.paragraphs.join()).toContain("and nothing else");
  expect((await seeOne(BUYER))?.notice).toBeNull();
});

test("keeps each consent with the wording that was shown, its version, time and giver", async () => {
  const { give, seeOne, consents, clock, shop } = await start();
  const notice = (await seeOne(BUYER))?.notice;
  await give(BUYER);
  const first = {
    givenBy: "buyer",
    version: NOTICE_VERSION,
    wording: [...(notice?.paragraphs ?? []), notice?.consent],
    givenAt: clock.now(),
  };
  expect(await consents()).toEqual([first]);
  await db.tenancy.inShop(shop, (tenant) => tenant.shops.setRetention(6));
  clock.advance(1000);
  await give(BUYER);
  const [former, latest] = await consents();
  expect(former).toEqual(first);
  expect(latest?.wording.join()).toContain("6 months");
});

test("records no other words than those that were shown: a notice that changed is read anew", async () => {
  const { shop, ports, id, consents, seeOne } = await start();
  const shown = (await seeOne(BUYER))?.notice;
  await db.tenancy.inShop(shop, (tenant) => tenant.shops.setRetention(6));
  const save = (notice: string | undefined) =>
    savePatientDetails(ports, {
      ...{ shop, viewer: BUYER, requestId: id },
      details: { ...PATIENT, consent: true, notice },
    });
  expect(await save(shown?.id)).toMatchObject({
    kind: "invalid",
    errors: [{ field: "consent", message: expect.stringContaining("has changed") }],
  });
  expect(await consents()).toEqual([]);
  expect(await save((await seeOne(BUYER))?.notice?.id)).toMatchObject({ kind: "saved" });
  expect((await consents()).at(-1)?.wording.join()).toContain("6 months");
});

test.each([
  "UPDATE consents SET wording = '{}' WHERE shop = $1",
  "UPDATE notice_wordings SET wording = '{}' WHERE shop = $1",
  "DELETE FROM notice_wordings WHERE shop = $1",
])("lets nobody change what was agreed to: %s", async (statement) => {
  const { give, consents, shop } = await start();
  await give(BUYER);
  const change = db.pool.connect().then(async (client) => {
    try {
      await client.query("BEGIN");
      await client.query(...(await enterShop(db, shop)));
      await client.query(statement, [shop]);
    } finally {
      await client.query("ROLLBACK");
      client.release();
    }
  });
  await expect(change).rejects.toMatchObject({ code: "42501" });
  expect(await consents()).toHaveLength(1);
});

test("keeps a wording once for all who agreed to it, also when their consents are gone", async () => {
  const { consents, shop, id, clock } = await start();
  const agreed = {
    ...{ givenBy: "buyer" as const, version: NOTICE_VERSION, givenAt: clock.now() },
    wording: ["The notice.", "I agree."],
  };
  await db.tenancy.inShop(shop, async (tenant) => {
    for (let times = 0; times < 2; times++) await tenant.consents.add(id, agreed);
  });
  expect(await consents()).toEqual([agreed, agreed]);
  const wordings = async () => {
    const { rows } = await db.pool.query(
      `SELECT wording, digest = sha256(convert_to(array_to_string(wording, E'\\n'), 'UTF8')) AS fits
       FROM notice_wordings WHERE shop = $1`,
      [shop],
    );
    return rows;
  };
  expect(await wordings()).toEqual([{ wording: agreed.wording, fits: true }]);
  await db.pool.query("DELETE FROM consents WHERE shop = $1", [shop]);
  expect(await wordings()).toHaveLength(1);
});

test("reads a consent of an earlier version, which has its wording in its own row", async () => {
  const { consents, shop, id } = await start();
  await db.pool.query(
    `INSERT INTO consents (shop, request_id, given_by, version, wording, given_at)
     VALUES ($1, $2, 'buyer', 1, ARRAY['The notice.', 'I agree.'], now())`,
    [shop, id],
  );
  expect(await consents()).toMatchObject([{ version: 1, wording: ["The notice.", "I agree."] }]);
});

test("shows what was agreed to, in its own words, to whoever holds the test and to the shop", async () => {
  const { give, seeOne, shop, ports, clock, id } = await start();
  const shown = (await seeOne(BUYER))?.notice;
  await give(BUYER);
  await db.tenancy.inShop(shop, (tenant) => tenant.shops.setRetention(6));
  const agreed = {
    givenBy: "buyer",
    version: NOTICE_VERSION,
    wording: [...(shown?.paragraphs ?? []), shown?.consent],
    givenAt: clock.now(),
  };
  const list = (viewer: typeof BUYER) => listConsents(ports, { shop, viewer });
  expect(await list(BUYER)).toEqual([expect.objectContaining({ ...agreed, requestId: id })]);
  expect(await list(STRANGER)).toEqual([]);
  const orderId = storeOrder().id;
  const overview = await readOrder(ports, { shop, orderId, actor: "staff:7" });
  expect(overview?.consents.get(id)).toEqual([agreed]);
});

test("keeps a patient's consent from the buyer who handed the test over", async () => {
  const { send, enter, give, shop, ports, id } = await start();
  await send();
  const patient = await enter();
  await give(patient);
  expect(await listConsents(ports, { shop, viewer: patient })).toMatchObject([
    { requestId: id, givenBy: "patient", version: NOTICE_VERSION },
  ]);
  expect(await listConsents(ports, { shop, viewer: BUYER })).toEqual([]);
});
