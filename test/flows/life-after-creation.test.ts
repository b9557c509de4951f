import { afterEach, expect, test } from "vitest";
import { z } from "zod";
import { MEDICARE_CARD, sellBothParts, whileAppStands } from "../harness/both-parts.ts";
import { eventually, putBack, QUICK_WORLD, shareWorld } from "../harness/index.ts";
import { orderPage, releaseResults, savePolicies } from "../harness/pages.ts";
import { oneReferralEach } from "./at-the-service.ts";
import { fetchDocument, textOfPdf } from "./customer-documents.ts";
import { mailTo } from "./mailed-links.ts";
import { documentsOf, requestsOf, timelineOf } from "./rows.ts";
import { goShopping, only, type Shopper } from "./shopping.ts";

const TIMEOUT = { timeoutMs: 120_000 };

const world = await shareWorld(QUICK_WORLD);
const shopping = goShopping(world);
afterEach(() => world.console.setFaults({}));

const seen = async (buyer: Shopper, orderId: string) =>
  (await buyer.api.requests()).filter((request) => request.orderId === orderId);

test("corrected details reach the service, and a new form replaces the old one", async () => {
  const buyer = await shopping.newShopper();
  const { order, requests } = await shopping.buyToForm(buyer);
  const { id } = only(requests);
  const [before] = await seen(buyer, order.id);
  const old = only(before?.documents ?? []);
  expect(before?.canCorrect).toBe(true);
  await buyer.api.giveDetails(id, { ...shopping.patient(), lastName: "Rectified" });
  const form = await eventually(async () => {
    const [now] = await seen(buyer, order.id);
    expect(now?.state).toBe("form_ready");
    const document = only(now?.documents ?? []);
    expect(document.version).toBe(2);
    return document;
  }, TIMEOUT);
  const pdf = await fetchDocument(world, form.id, buyer.id);
  expect(await textOfPdf(await pdf.bytes())).toMatch(/rectified/i);
  expect((await fetchDocument(world, old.id, buyer.id)).status).toBe(404);
  const referral = only(await oneReferralEach(world, requests));
  expect(JSON.stringify(referral)).toContain("Rectified");
  expect(await timelineOf(world.sql, id)).toContain("correction_passed_on");

  await world.service.generateResults(referral.uuid);
  await eventually(async () => {
    const [late] = await seen(buyer, order.id);
    expect(late).toMatchObject({ state: "results_ready", canCorrect: false });
  });
  await expect(buyer.api.giveDetails(id, shopping.patient())).rejects.toThrow(/409/);
});

test("a refunded unit's referral is deleted, exactly that one, and its form opens no more", async () => {
  const buyer = await shopping.newShopper();
  const { order, requests } = await shopping.buyToForm(buyer, 3);
  const [, , newest] = requests;
  const [withResults] = (await oneReferralEach(world, requests)).slice(2);
  // The newest has results, so the one before it is given up.
  await world.service.generateResults(withResults?.uuid ?? "");
  await eventually(async () => {
    const states = (await seen(buyer, order.id)).map(({ state }) => state).sort();
    expect(states).toEqual(["form_ready", "form_ready", "results_ready"]);
  }, TIMEOUT);
  const lineItemId = only(order.lines).id;
  await world.store.refund(order.id, [{ lineItemId, quantity: 1 }]);
  const after = await eventually(async () => {
    const rows = await requestsOf(world.sql, order.id);
    expect(rows.map(({ state }) => state)).toEqual(["created", "cancelled", "created"]);
    return rows;
  }, TIMEOUT);
  const referrals = await oneReferralEach(world, after);
  expect(referrals.map(({ deletedAt }) => deletedAt !== null)).toEqual([false, true, false]);
  const forms = (await documentsOf(world.sql, after[1]?.id ?? "")).map(({ replaced }) => replaced);
  expect(forms).toEqual([true]);

  await world.store.refund(order.id, [{ lineItemId, quantity: 2 }]);
  await eventually(async () => {
    const rows = await requestsOf(world.sql, order.id);
    expect(rows.map(({ state }) => state)).toEqual(["cancelled", "cancelled", "created"]);
    expect(rows[2]).toMatchObject({
      id: newest?.id,
      reviewReason: "refunded_after_results",
    });
  }, TIMEOUT);
  const [last] = (await oneReferralEach(world, after)).slice(2);
  expect(last?.deletedAt).toBeNull();
});

test("orders again on the order's page, once, what staff cancel there", async () => {
  const buyer = await shopping.newShopper();
  const { order, requests } = await shopping.buyToForm(buyer);
  const { id: requestId } = only(requests);
  const page = orderPage(order);
  expect(await world.pages.open(page)).toContain("can still be deleted at the service");
  await world.pages.submit(page, { intent: "cancel-request", requestId });
  await shopping.requestsWhen(order, 1, ({ state }) => expect(state).toBe("cancelled"));
  expect(only(await seen(buyer, order.id)).state).toBe("cancelled");

  const twice = { intent: "reorder-request", requestId };
  await Promise.all([world.pages.submit(page, twice), world.pages.submit(page, twice)]);
  await eventually(async () => {
    expect(only(await seen(buyer, order.id)).state).toBe("form_ready");
  }, TIMEOUT);
  const both = await requestsOf(world.sql, order.id);
  expect(both).toHaveLength(2);
  const [first, second] = await oneReferralEach(world, both);
  expect([first?.deletedAt === null, second?.deletedAt === null].sort()).toEqual([false, true]);
  // The store's next message changes nothing about it.
  await world.pages.submit(page, { intent: "resync" });
  await shopping.requestsWhen(order, 2);
});

test("tests that could not be charged are ordered again from one banner", async () => {
  await world.console.changeOrganisation({ billing: "declined" });
  putBack(() => world.console.changeOrganisation({ billing: "valid" }));
  const buyer = await shopping.newShopper();
  const order = await shopping.buy(buyer, [[shopping.product("bundle").variantId, 3]]);
  await shopping.giveDetails(buyer, await shopping.requestsWhen(order, 3));
  await shopping.requestsWhen(order, 3, ({ reviewReason }) =>
    expect(reviewReason).toBe("referral:BILLING_FAILED"),
  );
  expect(only((await seen(buyer, order.id)).slice(0, 1))).toMatchObject({
    state: "needs_support",
    nextStep: expect.stringContaining("don’t use your form yet"),
  });
  await world.console.changeOrganisation({ billing: "valid" });
  const unpaid = await world.sql.count(
    "SELECT count(DISTINCT request_id) FROM referrals WHERE status = 'BILLING_FAILED' AND deleted_at IS NULL AND replaced_by IS NULL",
  );
  expect(await world.pages.open("/app")).toContain(`charge for ${unpaid} tests`);
  await world.pages.submit("/app?index", { intent: "reorder-billing-failed" });
  await eventually(async () => {
    const states = (await seen(buyer, order.id)).map(({ state }) => state);
    expect(states).toEqual(["form_ready", "form_ready", "form_ready"]);
  }, TIMEOUT);
  const all = await requestsOf(world.sql, order.id);
  expect(all).toHaveLength(6);
  await oneReferralEach(world, all);
  expect(all.map(({ reviewReason }) => reviewReason)).toEqual(Array(6).fill(null));
  expect(await world.pages.open("/app")).not.toContain("couldn’t charge");
});

test("of a Medicare order whose second referral never was, only that one is sent", async () => {
  const { variantId, tests } = await sellBothParts(world, "Iron, private and Medicare");
  await world.console.setFaults({ createDropBeforeCommit: 1 });
  const buyer = await shopping.newShopper();
  const order = await shopping.buy(buyer, [[variantId, 1]]);
  const patient = { ...shopping.patient(), medicareCardNumber: MEDICARE_CARD };
  await shopping.giveDetails(buyer, await shopping.requestsWhen(order, 1), patient);
  const { referenceNumber, id } = only(
    await shopping.requestsWhen(order, 1, ({ state }) => expect(state).toBe("ambiguous")),
  );
  // Leaves what a service that broke off in the middle would have made.
  await whileAppStands(world, () =>
    world.service.createReferral({ ...patient, tests, referenceNumber, metadata: {} }),
  );
  await eventually(async () => {
    const { referralsByReferenceNumber } = await world.console.stats();
    expect(referralsByReferenceNumber[referenceNumber]).toBe(2);
    const row = only(await requestsOf(world.sql, order.id));
    expect(row).toMatchObject({ state: "created", reviewReason: null });
  }, TIMEOUT);
  const made = (await world.service.recentReferrals(50)).filter(
    (one) => one.referenceNumber === referenceNumber,
  );
  expect(made.map((one) => one.medicare).sort()).toEqual([false, true]);
  expect(await timelineOf(world.sql, id)).toContain("half_missing");
});

test("a merged customer's forms open for the surviving one, and for nobody else", async () => {
  const gone = await shopping.newShopper();
  const left = await shopping.newShopper();
  const { order } = await shopping.buyToForm(gone);
  const form = only(only(await seen(gone, order.id)).documents);
  await world.store.mergeCustomers({ from: gone.id, into: left.id });
  await eventually(async () =>
    expect((await fetchDocument(world, form.id, left.id)).status).toBe(200),
  );
  expect(only(await seen(left, order.id)).state).toBe("form_ready");
});

test("critical results wait where the policy says so, and are shown after a release", async () => {
  await savePolicies(world, { releasePolicy: "hold_critical" });
  putBack(() => savePolicies(world));
  const buyer = await shopping.newShopper();
  const { order, requests } = await shopping.buyToForm(buyer);
  const referral = only(await oneReferralEach(world, requests));
  await world.console.sendResults(referral.uuid, { critical: true });
  await eventually(async () =>
    expect(only(await seen(buyer, order.id))).toMatchObject({ state: "in_review" }),
  );
  expect(only(await seen(buyer, order.id)).resultId).toBeUndefined();
  const { id: requestId } = only(requests);
  await releaseResults(world, order, requestId);
  expect(only(await seen(buyer, order.id)).state).toBe("results_ready");
});

test("a held critical result tells its reviewer, is never waved away, and is shown when nobody reads it", async () => {
  await savePolicies(world, { releasePolicy: "hold_critical", releaseAfterHours: "4" });
  putBack(() => savePolicies(world, { releaseAfterHours: "12" }));
  const buyer = await shopping.newShopper();
  const { order, requests } = await shopping.buyToForm(buyer);
  const referral = only(await oneReferralEach(world, requests));
  await world.console.sendResults(referral.uuid, { critical: true });
  const about = (words: string) => new RegExp(`${words} \\(${order.name}\\)`);
  const alert = await mailTo(world, "reviewer@example.com", about("review a result today"));
  expect(alert.text).not.toMatch(/critical/i);
  const [link = ""] = /http\S+\/app\/orders\/\d+/.exec(alert.text) ?? [];
  expect((await fetch(link)).status).toBe(200);
  expect(await world.pages.open("/app/attention")).toContain("A result that cannot wait is held");
  const number = order.id.split("/").at(-1) ?? "";
  const handled = { intent: "handled", order: number, reason: "urgent_result_held" };
  await world.pages.submit("/app/attention", handled);
  const [row] = await world.sql.rows(
    z.object({ code: z.string().nullable() }),
    "SELECT reason_code AS code FROM referral_requests WHERE id = $1",
    [only(requests).id],
  );
  expect(row?.code).toBe("urgent_result_held");
  // Four hours, each of which lasts a second here.
  await eventually(async () =>
    expect(only(await seen(buyer, order.id)).state).toBe("results_ready"),
  );
  await mailTo(world, "reviewer@example.com", about("ring a patient today"));
  const told = await mailTo(world, buyer.email, about("open your results today"));
  expect(told.text).toContain("You can ring Dr Robin Reader: 02 5550 1234.");
});
