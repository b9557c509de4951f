/** Long because it is one table: every reason for which a person is needed, with its cause, its words and its end. */
import { readFileSync } from "node:fs";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import type { OrderReason } from "../../app/modules/orders/order-reason.ts";
import { ORDER_REASONS } from "../../app/modules/orders/order-reason.ts";
import { REVIEW_CODES, type ReviewReason } from "../../app/modules/referrals/review-reason.ts";
import { nameOfReason } from "../../app/modules/reports/attention-names.ts";
import { MEDICARE_CARD, sellBothParts, whileAppStands } from "../harness/both-parts.ts";
import { eventually, QUICK_WORLD, SHIPPING_ADDRESS, shareWorld } from "../harness/index.ts";
import { orderPage, releaseResults, savePolicies } from "../harness/pages.ts";
import { oneReferralEach } from "./at-the-service.ts";
import { orderOf, requestsOf } from "./rows.ts";
import { goShopping, only, type Shopper } from "./shopping.ts";
import { storeCalls } from "./store-calls.ts";
import { bothReferrals } from "./two-referrals.ts";

// Every reason for which a person is needed, caused for real: what the inbox says and offers, what the customer reads
// meanwhile, and that the remedy ends it.

const TIMEOUT = { timeoutMs: 120_000 };
const world = await shareWorld(QUICK_WORLD);
const { console, store, pages, sql } = world;
const shopping = goShopping(world);
const { setCustomer, payOutstanding, giveBack } = storeCalls(world);
const TEST = shopping.product("tests").variantId;
const DOCTOR = {
  providerNumber: "2426621B",
  name: "Dr Priya Raman",
  address: "12 Collins Street, Melbourne VIC 3000",
};

/** An order that needs a person; `id` is its unit's. */
interface Case {
  order: { id: string; name: string; lines: { id: string }[] };
  buyer: Shopper | null;
  id: string;
  uuid: string;
}

interface Row {
  cause(): Promise<Case>;
  /** The inbox's sentence and next step, and the button of the item. */
  item: RegExp;
  button: string;
  /** It stands above everything else. */
  isToday?: true;
  /** Nobody can wave it away. */
  isKept?: true;
  /** The state and words of the unit on the buyer's page; null: the buyer has no such page. */
  customer: [string, RegExp] | null;
  /** The subject of an email that the buyer gets by it. */
  mail?: RegExp;
  /** The step that the item asks for. */
  remedy(one: Case): Promise<unknown>;
  /** The states of the units once the item has ended, each that was ordered with one referral. */
  end: string[];
}

/** The form can't be fetched: its page waits, and it comes once the service gives it again. */
const FORM_ARRIVES: Pick<Row, "customer" | "remedy" | "end"> = {
  customer: ["being_prepared", /preparing the referral form/],
  async remedy(one) {
    await console.setFaults({});
    await onPage(one, "reissue-form");
  },
  end: ["created"],
};

const rowsOf = ({ order }: Case) => requestsOf(sql, order.id);
const when = (one: Case, expected: object) =>
  eventually(async () => expect(only(await rowsOf(one))).toMatchObject(expected), TIMEOUT);
const onPage = (one: Case, intent: string) =>
  pages.submit(orderPage(one.order), { intent, requestId: one.id });
const inInbox = (one: Case, intent: string, reason: string) =>
  pages.submit("/app/attention", { intent, order: numberOf(one), reason });
const numberOf = ({ order }: Pick<Case, "order">) => order.id.split("/").at(-1) ?? "";
const refund = ({ order }: Case) =>
  store.refund(order.id, [{ lineItemId: only(order.lines).id, quantity: 1 }]);
const importOrder = (order: string) =>
  pages.submit("/app/settings", { intent: "import-order", order });
const resync = ({ order }: Case) => pages.submit(orderPage(order), { intent: "resync" });
const seenBy = async ({ buyer, order }: Case) =>
  ((await buyer?.api.requests()) ?? []).filter(({ orderId }) => orderId === order.id);

/** A unit whose details are asked for. */
async function asked(variantId = TEST): Promise<Case & { buyer: Shopper }> {
  const buyer = await shopping.newShopper();
  const order = await shopping.buy(buyer, [[variantId, 1]]);
  const [request] = await shopping.requestsWhen(order, 1, ({ state }) =>
    expect(state).toBe("awaiting_details"),
  );
  return { order, buyer, id: request?.id ?? "", uuid: "" };
}

const give = ({ buyer, id }: Case, fields: Record<string, unknown> = {}) =>
  buyer?.api.giveDetails(id, { ...shopping.patient(), ...fields });

/** A unit whose patient has the form. */
async function withForm(): Promise<Case> {
  const buyer = await shopping.newShopper();
  const { order, requests } = await shopping.buyToForm(buyer);
  const { uuid } = only(await oneReferralEach(world, requests));
  const one = { order, buyer, id: only(requests).id, uuid };
  // News that comes within the same moment is told in one email.
  await eventually(async () => expect(await subjects(one)).toMatch(/form is ready/), TIMEOUT);
  return one;
}

async function refundedUnder(refundPolicy: "ask" | "automatic", one: Case) {
  await savePolicies(world, { refundPolicy });
  await refund(one);
  return one;
}

/** A unit of both kinds of tests whose create call broke off after the private referral. */
async function brokenOff(title: string): Promise<Case> {
  const { variantId, tests } = await sellBothParts(world, title);
  const patient = { ...shopping.patient(), medicareCardNumber: MEDICARE_CARD };
  const one = await lost(variantId, patient);
  await whileAppStands(world, async () => {
    const { referenceNumber } = only(await rowsOf(one));
    if (title.includes("signature"))
      await console.addProviderNumber({ ...DOCTOR, signature: false });
    await world.service.createReferral({ ...patient, tests, referenceNumber, metadata: {} });
  });
  return one;
}

/** A unit whose create call's answer got lost, and of which nothing was made. `meanwhile`: what is done before a call is answered again. */
async function lost(
  variantId = TEST,
  patient: Record<string, unknown> = {},
  meanwhile: () => Promise<unknown> = async () => {},
): Promise<Case> {
  const one = await asked(variantId);
  // On a busy machine it may be sent once more before that.
  await console.setFaults({ createDropBeforeCommit: 9 });
  await give(one, patient);
  await when(one, { state: "ambiguous" });
  await meanwhile();
  await console.setFaults({});
  return one;
}

const connectWith = (clientSecret: string) =>
  pages.saveConnection({
    environment: "staging",
    clientId: world.line.service.client_id,
    clientSecret,
    signingScheme: "standard-webhooks",
    signingSecret: "",
  });

async function reconnect() {
  await connectWith(world.line.service.client_secret);
  await pages.testConnection("staging");
}

/** News that Pathway does not hear of for a while. */
const unheard = { webhooks: { drop: true }, staleListMs: 600_000 } as const;

/** Reasons that need nothing but themselves: caused at the same time. */
const CALM: Partial<Record<Reason, Row>> = {
  details_overdue: {
    async cause() {
      const one = await asked();
      // Days pass: each reminder falls due at once.
      await eventually(async () => {
        await sql.rows(
          z.unknown(),
          `UPDATE pgboss.job SET start_after = now()
           WHERE name = 'send-reminder' AND state = 'created' AND data->>'requestId' = $1`,
          [one.id],
        );
        expect(only(await rowsOf(one)).reviewReason).toBe("details_overdue");
      }, TIMEOUT);
      return one;
    },
    item: /details are still missing.* Contact the customer, or refund/,
    button: "Open",
    customer: ["awaiting_details", /Enter the patient's details/],
    mail: /^Reminder/,
    async remedy(one) {
      await onPage(one, "resend");
      await give(one);
    },
    end: ["created"],
  },
  under_age: {
    async cause() {
      const one = await asked();
      await expect(give(one, { dob: "2015-01-01" })).rejects.toThrow(/422.*at least 18/);
      return one;
    },
    item: /under your minimum age\. Nothing is ordered with it.*“Resend request” emails a link/,
    button: "Refund or ask again",
    customer: ["awaiting_details", /under the shop’s minimum age.*contact the shop/],
    async remedy(one) {
      await onPage(one, "resend");
      await give(one);
    },
    end: ["created"],
  },
  rejected: {
    async cause() {
      const one = await asked(await vanishing());
      // Known before anybody gives details for it.
      const broken = /on sale can’t be ordered as mapped.*Map again/;
      await eventually(
        async () => expect(await wordsOn("/app/attention")).toMatch(broken),
        TIMEOUT,
      );
      await give(one);
      return one;
    },
    item: /did not accept the details.*Check the product’s mapping.*Then retry/,
    button: "Retry",
    customer: ["needs_support", /Something needs our attention.*contact the shop/],
    async remedy(one) {
      const { reviewReason } = only(await rowsOf(one));
      await mapVanishing();
      await inInbox(one, "retry", reviewReason ?? "");
    },
    end: ["created"],
  },
  duplicate_referral: {
    async cause() {
      const one = await withForm();
      const { referenceNumber } = only(await rowsOf(one));
      const { tests } = await world.service.referral(one.uuid);
      const again = { ...shopping.patient(), tests, referenceNumber, metadata: {} };
      await world.service.createReferral(again);
      return one;
    },
    item: /more than one referral.*shows the form of each.*delete the other in the service/,
    button: "Open",
    customer: ["form_ready", /Open the referral form/],
    async remedy(one) {
      const { referenceNumber } = only(await rowsOf(one));
      const more = (await world.service.recentReferrals(200)).filter(
        (referral) => referral.referenceNumber === referenceNumber && referral.uuid !== one.uuid,
      );
      await world.service.deleteReferral(only(more).uuid);
      await eventually(
        async () => expect(await subjects(one)).toMatch(/throw away a form/),
        TIMEOUT,
      );
    },
    end: ["created"],
  },
  deleted_at_service: {
    async cause() {
      const one = await withForm();
      await world.service.deleteReferral(one.uuid);
      return one;
    },
    item: /A referral of this test was deleted.*“Order again”/,
    button: "Open",
    customer: ["needs_support", /not valid any more.*The test is not cancelled/],
    mail: /throw away a form/,
    remedy: (one) => onPage(one, "reorder-request"),
    end: ["created", "created"],
  },
  consent_withdrawn: {
    async cause() {
      const one = await withForm();
      const token = await store.customerToken(one.buyer?.id ?? "");
      const erasure = `${world.line.app_url}/api/customer/requests/${one.id}/erasure`;
      const headers = { authorization: `Bearer ${token}` };
      expect((await fetch(erasure, { method: "POST", headers })).status).toBe(200);
      return one;
    },
    item: /withdrew their consent.*Refund the customer in Shopify: this entry then ends by itself/,
    button: "Refund in Shopify",
    customer: null,
    mail: /was cancelled/,
    remedy: refund,
    end: ["cancelled"],
  },
  referral: {
    async cause() {
      const one = await withForm();
      await console.setStatus(one.uuid, "FAILED_TEST");
      return one;
    },
    item: /couldn’t complete at least one of the tests.*Order it again/,
    button: "Open",
    customer: ["needs_support", /couldn’t complete a test\. The shop will be in touch/],
    mail: /needs another step/,
    remedy: (one) => onPage(one, "reorder-request"),
    end: ["created", "created"],
  },
  urgent_result_shown: {
    async cause() {
      const one = await withForm();
      await console.sendResults(one.uuid, { critical: true });
      return one;
    },
    item: /should be talked about today.*Ring the patient today/,
    button: "Open",
    isToday: true,
    customer: ["results_ready", /open your results today/],
    mail: /open your results today/,
    remedy: (one) => inInbox(one, "handled", "urgent_result_shown"),
    end: ["created"],
  },
  no_contact: {
    async cause() {
      const order = await store.createOrder({ lines: [{ variantId: TEST, quantity: 1 }] });
      const [request] = await shopping.requestsWhen(order, 1);
      return { order, buyer: null, id: request?.id ?? "", uuid: "" };
    },
    item: /no customer account and no email address.*Pathway then asks for the details by itself/,
    button: "Open in Shopify",
    customer: null,
    async remedy(one) {
      expect(await wordsOn(orderPage(one.order))).not.toMatch(/customer was asked|Resend request/);
      one.buyer = await shopping.newShopper();
      await setCustomer(one.order.id, one.buyer.id);
      await eventually(async () => expect(await seenBy(one)).toHaveLength(1), TIMEOUT);
      await give(one);
    },
    end: ["created"],
  },
  customer_changed: {
    async cause() {
      const one = await asked();
      const other = await shopping.newShopper();
      await setCustomer(one.order.id, other.id);
      return { ...one, buyer: other };
    },
    item: /customer was changed in Shopify, but its email address wasn’t.*mark this as handled/,
    button: "Open in Shopify",
    customer: ["awaiting_details", /Enter the patient's details/],
    remedy: (one) => inInbox(one, "handled", "customer_changed"),
    end: ["awaiting_details"],
  },
  paid_in_part: {
    async cause() {
      const one = await withForm();
      await store.editOrder(one.order.id, [{ variantId: TEST, quantity: 1 }]);
      return one;
    },
    item: /Part of this order isn’t paid for.*Pathway then goes on by itself/,
    button: "Open in Shopify",
    customer: ["form_ready", /Open the referral form/],
    remedy: (one) => payOutstanding(one.order.id),
    end: ["awaiting_details", "created"],
  },
  money_back: {
    async cause() {
      const one = await asked();
      const { currentTotalPrice } = await store.order(one.order.id);
      await giveBack(one.order.id, Math.round(Number(currentTotalPrice) * 100));
      return one;
    },
    item: /All the money for this order was given back.*cancel the order in Shopify/,
    button: "Open in Shopify",
    customer: ["awaiting_details", /Enter the patient's details/],
    remedy: (one) => store.cancelOrder(one.order.id),
    end: ["cancelled"],
  },
  not_a_test_then: {
    async cause() {
      const { id: productId, variants } = await store.createProduct({
        title: "A book, and a test since",
        variants: [{ priceCents: 5_000 }],
      });
      const product = { productId, variantId: variants[0]?.id ?? "" };
      await pages.saveMapping({ ...product, kind: "ignored" });
      // Months pass.
      const longAgo =
        "UPDATE mapping_changes SET at = at - interval '90 days' WHERE product_id = $1";
      await sql.rows(z.unknown(), longAgo, [productId]);
      const buyer = await shopping.newShopper();
      const order = await shopping.buy(buyer, [[product.variantId, 1]]);
      await eventually(() => orderOf(sql, order.id), TIMEOUT);
      const { tests = [] } = shopping.product("tests").mapsTo;
      await pages.saveMapping({ ...product, kind: "order", tests });
      const one = { order, buyer, id: "", uuid: "" };
      await resync(one);
      return one;
    },
    item: /marked “Not a test” when it was sold.*import the order by its number/,
    button: "Import order",
    customer: null,
    remedy: ({ order }) => importOrder(order.name),
    end: ["awaiting_details"],
  },
  backdated: {
    async cause() {
      const buyer = await shopping.newShopper();
      const order = await store.createOrder({
        customerId: buyer.id,
        lines: [{ variantId: TEST, quantity: 1 }],
        shippingAddress: SHIPPING_ADDRESS,
        processedAt: daysAgo(400),
      });
      return { order, buyer, id: "", uuid: "" };
    },
    item: /placed long before it came into Shopify.*import the order by its number/,
    button: "Import order",
    customer: null,
    remedy: ({ order }) => importOrder(order.name),
    end: ["awaiting_details"],
  },
};

/** Reasons that strict mode gives: one after the other, for the fault that is set for one unit must strike no other. */
const STRICT: Partial<Record<Reason, Row>> = {
  ambiguous: {
    cause: () => lost(),
    item: /answer got lost, and its list doesn’t show.*Retry orders it once more/,
    button: "Retry",
    customer: ["being_prepared", /preparing the referral form/],
    remedy: (one) => inInbox(one, "retry", "ambiguous"),
    end: ["created"],
  },
  under_age_unclear: {
    async cause() {
      const one = await lost();
      await when(one, { reviewReason: "ambiguous" });
      await expect(give(one, { dob: "2015-01-01" })).rejects.toThrow(/422/);
      return one;
    },
    item: /under your minimum age\. Before that.*press “Wait for other details”/,
    button: "Refund or ask again",
    customer: ["needs_support", /Something needs our attention/],
    async remedy(one) {
      await onPage(one, "retry");
      await when(one, { state: "awaiting_details", reviewReason: "under_age" });
      await onPage(one, "resend");
      await give(one);
    },
    end: ["created"],
  },
  half_created: {
    cause: () => brokenOff("Both, left to a person"),
    item: /only one of the two referrals of this request.*Retry orders the missing one alone/,
    button: "Open",
    customer: ["form_ready", /Open the referral form/],
    remedy: (one) => onPage(one, "retry"),
    end: ["created"],
  },
};

/** Reasons that faults of the service or policies of the shop cause: one after the other. */
const TROUBLE: Partial<Record<Reason, Row>> = {
  held: {
    async cause() {
      await savePolicies(world, { holdOrders: "true" });
      const one = await asked();
      await give(one);
      return one;
    },
    item: /Held for review: nothing is sent before it’s released/,
    button: "Release",
    customer: ["being_prepared", /preparing the referral form/],
    remedy: (one) => inInbox(one, "release", "held"),
    end: ["created"],
  },
  half_rejected: {
    cause: () => brokenOff("Both, without a signature"),
    item: /Only one of the two referrals was made.*no signature.*“Recheck” there/,
    button: "Change practitioner",
    customer: ["form_ready", /Open the referral form/],
    async remedy(one) {
      await console.addProviderNumber({ ...DOCTOR, signature: true });
      await onPage(one, "retry");
    },
    end: ["created"],
  },
  refunded_after_sending: {
    cause: async () => refundedUnder("ask", await withForm()),
    item: /refunded or removed after its referral was ordered.*cancel the test/,
    button: "Open",
    isKept: true,
    customer: ["needs_support", /don’t use its form for now: the shop is deciding/],
    remedy: (one) => onPage(one, "keep-request"),
    end: ["created"],
  },
  refunded_after_results: {
    async cause() {
      const one = await withForm();
      await world.service.generateResults(one.uuid);
      await eventually(async () => expect(only(await seenBy(one)).state).toBe("results_ready"));
      return refundedUnder("automatic", one);
    },
    item: /but its results have arrived\. They’re kept.*patient keeps their results either way/,
    button: "Open",
    customer: ["results_ready", /results are ready/],
    remedy: (one) => inInbox(one, "handled", "refunded_after_results"),
    end: ["created"],
  },
  bought_again: {
    async cause() {
      const one = await withForm();
      await world.service.generateResults(one.uuid);
      await eventually(async () => expect(only(await seenBy(one)).state).toBe("results_ready"));
      await refundedUnder("automatic", one);
      await when(one, { reviewReason: "refunded_after_results" });
      const lineItemId = only(one.order.lines).id;
      await store.editOrder(one.order.id, [{ lineItemId, quantity: 1 }]);
      return one;
    },
    item: /is on the order again\. No second test was opened.*as a new line/,
    button: "Open",
    customer: ["results_ready", /results are ready/],
    remedy: (one) => inInbox(one, "handled", "bought_again"),
    end: ["created"],
  },
  withdrawal_too_late: {
    async cause() {
      const one = await withForm();
      await console.setFaults(unheard);
      await console.sendResults(one.uuid);
      await onPage(one, "cancel-request");
      return one;
    },
    item: /Results arrived before the referral could be deleted.*then mark this as handled/,
    button: "Open",
    customer: ["results_ready", /results are ready/],
    remedy: (one) => inInbox(one, "handled", "withdrawal_too_late"),
    end: ["created"],
  },
  withdrawal_refused: {
    async cause() {
      const one = await withForm();
      await console.setFaults({ deleteRefused: true });
      return refundedUnder("automatic", one);
    },
    item: /refused to delete the referral, so its form can still be used.*Delete it in the service/,
    button: "Open",
    customer: ["cancelled", /throw it away/],
    async remedy(one) {
      await console.setFaults({});
      await world.service.deleteReferral(one.uuid);
    },
    end: ["cancelled"],
  },
  deleted_with_results: {
    async cause() {
      const one = await withForm();
      await console.setFaults({ ...unheard, resultsAtDelete: true });
      await onPage(one, "cancel-request");
      return one;
    },
    item: /deleted at the service just as its results arrived.*Ask the service’s support/,
    button: "Open",
    customer: ["results_ready", /results are ready/],
    remedy: (one) => inInbox(one, "handled", "deleted_with_results"),
    end: ["created"],
  },
  correction_refused: {
    async cause() {
      const one = await withForm();
      await console.setFaults(unheard);
      await console.sendResults(one.uuid, { partial: true });
      await give(one, { dob: "1985-02-03" });
      return one;
    },
    item: /corrected, but the service doesn’t take the change.*Else tell the laboratory/,
    button: "Open",
    customer: ["partial_results", /Some results are ready/],
    mail: /details could not be changed/,
    remedy: (one) => inInbox(one, "handled", "correction_refused"),
    end: ["created"],
  },
  document_missing: {
    async cause() {
      await console.setFaults({ attachmentStatus: 500 });
      const one = await asked();
      await give(one);
      await when(one, { state: "created" });
      // It has been looked for during a day.
      await eventually(async () => {
        const since = await sql.rows(
          z.object({ since: z.date() }),
          `UPDATE referrals SET pdf_awaited_since = pdf_awaited_since - interval '1 day'
           WHERE request_id = $1 AND pdf_awaited_since IS NOT NULL RETURNING pdf_awaited_since AS since`,
          [one.id],
        );
        expect(since).toHaveLength(1);
      }, TIMEOUT);
      await onPage(one, "reissue-form");
      return one;
    },
    item: /PDF of this test can’t be fetched.*this ends by itself when the PDF arrives/,
    button: "Open",
    ...FORM_ARRIVES,
  },
  document_refused: {
    async cause() {
      await console.setFaults({ attachmentHost: "other" });
      const one = await asked();
      await give(one);
      return one;
    },
    item: /is at localhost.*isn’t on the list of hosts.*The PDF then arrives by itself/,
    button: "Open",
    ...FORM_ARRIVES,
  },
  results_held: {
    async cause() {
      await savePolicies(world, { releasePolicy: "hold_all" });
      const one = await withForm();
      await console.sendResults(one.uuid);
      return one;
    },
    item: /Results have arrived.* your release policy holds them for your reviewer.*then release them/,
    button: "Review",
    isKept: true,
    customer: ["in_review", /results are being reviewed/],
    remedy: (one) => releaseResults(world, one.order, one.id),
    end: ["created"],
  },
  result_deleted: {
    async cause() {
      const one = await withForm();
      await console.sendResults(one.uuid);
      await eventually(async () => expect(only(await seenBy(one)).state).toBe("results_ready"));
      await console.setFaults({ resultsDeleted: true });
      await resync(one);
      return one;
    },
    item: /service deleted results that had arrived.*New results appear by themselves/,
    button: "Open",
    customer: ["needs_support", /results were taken back.*contact the shop/],
    async remedy(one) {
      await console.setFaults({});
      await console.sendResults(one.uuid, { seed: 5 });
    },
    end: ["created"],
  },
  unresolved: {
    async cause() {
      return lost(TEST, {}, () => connectWith("not the client's secret"));
    },
    item: /can’t read the service’s list.*Pathway then finds out by itself/,
    button: "Test connection",
    customer: ["being_prepared", /preparing the referral form/],
    remedy: reconnect,
    end: ["created"],
  },
  not_sent: {
    async cause() {
      await connectWith("not the client's secret");
      const one = await asked();
      await give(one);
      return one;
    },
    item: /couldn’t be sent: the service didn’t let Pathway in.*Pathway then sends it by itself/,
    button: "Test connection",
    customer: ["being_prepared", /preparing the referral form/],
    remedy: reconnect,
    end: ["created"],
  },
  paid_not_visible: {
    async cause() {
      const buyer = await shopping.newShopper();
      const order = await store.createOrder({
        customerId: buyer.id,
        lines: [{ variantId: TEST, quantity: 1 }],
        shippingAddress: SHIPPING_ADDRESS,
        createdAt: daysAgo(75),
        paid: false,
      });
      await payOutstanding(order.id);
      return { order, buyer, id: "", uuid: "" };
    },
    item: /This order was paid, but Shopify doesn’t show it to Pathway.*duplicate it there as a new order/,
    button: "Open in Shopify",
    customer: null,
    remedy: (one) => inInbox(one, "handled", "paid_not_visible"),
    end: [],
  },
  order_not_visible: {
    async cause() {
      const buyer = await shopping.newShopper();
      const order = await store.createOrder({
        customerId: buyer.id,
        lines: [{ variantId: TEST, quantity: 1 }],
        shippingAddress: SHIPPING_ADDRESS,
        createdAt: daysAgo(60, 5_000),
      });
      // It is older than the shop's install: a person names it.
      await importOrder(order.name);
      const [request] = await shopping.requestsWhen(order, 1);
      await store.advanceClock(6);
      const one = { order, buyer, id: request?.id ?? "", uuid: "" };
      await eventually(async () => {
        await resync(one);
        expect((await orderOf(sql, order.id)).reviewCode).toBe("order_not_visible");
      }, TIMEOUT);
      return one;
    },
    item: /doesn’t show this order to Pathway any more.*cancel here what was refunded there/,
    button: "Open in Shopify",
    customer: ["awaiting_details", /Enter the patient's details/],
    async remedy(one) {
      await onPage(one, "cancel-request");
      await inInbox(one, "handled", "order_not_visible");
    },
    end: ["cancelled"],
  },
};

/** Reasons that another file causes and ends. */
const ELSEWHERE: Partial<Record<Reason, string>> = {
  high_risk: "high-risk.test.ts",
  risk_pending: "high-risk.test.ts",
  mail_refused: "refused-mail.test.ts",
  referral_other_person: "../../app/modules/reports/other-person.test.ts",
  other_tests: "../../app/modules/reports/other-tests.test.ts",
  result_other_person: "other-person.test.ts",
  unreadable_at_service: "going-live.test.ts",
  unmapped_line: "kinds-of-orders.test.ts",
  other_name: "renamed-store.test.ts",
  not_fulfilled: "../../app/modules/orders/orders/not-told.test.ts",
  not_tagged: "../../app/modules/orders/orders/not-told.test.ts",
  flow_not_started: "../../app/modules/orders/orders/not-told.test.ts",
  // The sandbox's store sells no bundles.
  parts_of_bundle: "../../app/modules/orders/orders/bundles.test.ts",
  urgent_result_held: "life-after-creation.test.ts",
};

let vanished: { productId: string; variantId: string } | undefined;

/** A product whose test has gone from the service's catalogue since it was mapped. */
async function vanishing(): Promise<string> {
  const { id, variants } = await store.createProduct({
    title: "Vanishing",
    variants: [{ priceCents: 5_000 }],
  });
  vanished = { productId: id, variantId: variants[0]?.id ?? "" };
  await mapVanishing();
  const { variantId } = vanished;
  const gone = "UPDATE mappings SET tests = ARRAY['no-such-test'] WHERE variant_id = $1";
  await sql.rows(z.unknown(), gone, [variantId]);
  return variantId;
}

async function mapVanishing() {
  if (!vanished) throw new Error("Nothing has vanished");
  const { tests = [] } = shopping.product("tests").mapsTo;
  await pages.saveMapping({ ...vanished, kind: "order", tests });
}

function daysAgo(days: number, plusMs = 0): string {
  return new Date(Date.now() - days * 86_400_000 + plusMs).toISOString();
}

const plain = (html: string) =>
  html
    .replaceAll(/<(script|style|svg)\b[\s\S]*?<\/\1>/g, " ")
    .replaceAll(/<!--[\s\S]*?-->|<[^>]+>/g, " ")
    .replaceAll("&#x27;", "'")
    .replaceAll("&amp;", "&")
    .replaceAll(/\s+/g, " ");

async function wordsOn(path: string): Promise<string> {
  return plain(await pages.open(path));
}

/** The items of the inbox of a kind of reason, with the names of their buttons. */
async function itemsOf(reason: string | null) {
  const page = await pages.open(`/app/attention${reason ? `?reason=${reason}` : ""}`);
  const items = page.split('<li class="pathway-entry">').slice(1);
  return items.map((html) => {
    const [item = ""] = html.split("</li>");
    return {
      name: />(#\d+)</.exec(item)?.[1] ?? "",
      words: plain(item),
      buttons: [
        ...item.matchAll(
          /<(?:button|a)\b[^>]*\bclass="Polaris-Button[^"]*"[^>]*>([\s\S]*?)<\/(?:button|a)>/g,
        ),
      ].map(([, label = ""]) => plain(label).trim()),
    };
  });
}

const itemOf = async ({ order }: Case, reason: string) =>
  (await itemsOf(reason)).find(({ name }) => name === order.name);

async function check([reason, row]: readonly [string, Row]) {
  const one = await row.cause();
  const item = await eventually(async () => {
    const found = await itemOf(one, reason);
    expect(found).toBeDefined();
    // An item that comes while the page is read stands in its place at the next look.
    expect(found?.words.includes("Today")).toBe(row.isToday ?? false);
    return found;
  }, TIMEOUT);
  expect(item?.words).toMatch(row.item);
  expect(item?.buttons).toContain(row.button);
  expect(item?.buttons.includes("Mark as handled")).toBe(!row.isKept);
  const [sentence = ""] = row.item.source.split(".*");
  expect(await wordsOn(orderPage(one.order))).toMatch(new RegExp(sentence));
  const { customer, mail } = row;
  if (customer)
    await eventually(async () => {
      const [seen] = await seenBy(one);
      expect(seen?.state).toBe(customer[0]);
      expect(String(seen?.nextStep)).toMatch(customer[1]);
    }, TIMEOUT);
  if (mail) await eventually(async () => expect(await subjects(one)).toMatch(mail), TIMEOUT);

  await row.remedy(one);
  await eventually(async () => {
    expect(await itemOf(one, reason)).toBeUndefined();
    const rows = await rowsOf(one);
    expect(rows.map(({ state }) => state).sort()).toEqual(row.end);
  }, TIMEOUT);
  const sent = (await rowsOf(one)).filter(({ attempt }) => attempt > 0);
  const { referralsByReferenceNumber } = await console.stats();
  for (const { referenceNumber } of sent)
    expect(referralsByReferenceNumber[referenceNumber]).toBe(
      /^(half_|duplicate)/.test(reason) ? 2 : 1,
    );
}

const subjects = async ({ buyer }: Case) =>
  (await store.mail())
    .filter(({ to }) => to === buyer?.email)
    .map(({ subject }) => subject)
    .join("\n");

type Reason = ReviewReason["code"] | OrderReason;

afterAll(() => savePolicies(world));

test("every reason has a row, here or in another file", () => {
  const rows = [CALM, STRICT, TROUBLE, ELSEWHERE].flatMap((some) => Object.keys(some));
  expect(rows.toSorted()).toEqual([...REVIEW_CODES, ...ORDER_REASONS].toSorted());
  for (const [reason, file] of Object.entries(ELSEWHERE))
    expect(readFileSync(`${import.meta.dirname}/${file}`, "utf8")).toContain(reason);
});

/** A test for each row, all of which are on their way at once. */
function atOnce(rows: Partial<Record<Reason, Row>>) {
  const ends = new Map<string, Promise<unknown>>();
  beforeAll(() => {
    for (const row of Object.entries(rows))
      ends.set(
        row[0],
        check(row).then(
          () => null,
          (failure: unknown) => failure,
        ),
      );
  });
  test.each(Object.keys(rows))("%s", async (reason) => {
    const failure = await ends.get(reason);
    if (failure) throw failure;
  });
}

describe("by itself", () => atOnce(CALM));

describe("in strict mode", () => {
  beforeAll(() => savePolicies(world, { strictMode: "true" }));
  test.each(Object.entries(STRICT))("%s", (...row) => check(row));
  afterAll(() => savePolicies(world));
});

describe("in trouble", () => {
  afterEach(async () => {
    await console.setFaults({});
    await savePolicies(world);
  });
  test.each(Object.entries(TROUBLE))("%s", (...row) => check(row));
});

test("tells of one deleted referral of two, and orders that one again", async () => {
  const { variantId } = await sellBothParts(world, "Both, one deleted");
  const one = await asked(variantId);
  await give(one, { medicareCardNumber: MEDICARE_CARD });
  await eventually(async () => expect(only(await seenBy(one)).documents).toHaveLength(2), TIMEOUT);
  await eventually(async () => expect(await subjects(one)).toMatch(/ready/), TIMEOUT);
  const { medicare, commercial } = await bothReferrals(world, only(await rowsOf(one)));
  await world.service.deleteReferral(medicare.uuid);
  await when(one, { reviewReason: "deleted_at_service" });
  await eventually(async () => expect(await subjects(one)).toMatch(/throw away a form/), TIMEOUT);
  await onPage(one, "reorder-request");
  await eventually(async () => {
    const rows = await rowsOf(one);
    expect(rows.map(({ state, reviewReason }) => [state, reviewReason])).toEqual([
      ["created", null],
      ["created", null],
    ]);
  }, TIMEOUT);
  const next = only((await rowsOf(one)).filter(({ id }) => id !== one.id));
  expect(only(await oneReferralEach(world, [next]))).toMatchObject({ medicare: true });
  expect((await world.service.referral(commercial.uuid)).deletedAt).toBeNull();

  // The other one is lost as well.
  await world.service.deleteReferral(commercial.uuid);
  const item = await eventually(async () => {
    const found = await itemOf(one, "deleted_at_service");
    expect(found).toBeDefined();
    return found;
  }, TIMEOUT);
  expect(item?.words).toMatch(/Press “Order again”: only what was deleted is ordered/);
  expect(await wordsOn(orderPage(one.order))).toMatch(/Press “Order again”/);
  await onPage(one, "reorder-request");
  await eventually(async () => {
    expect(await itemOf(one, "deleted_at_service")).toBeUndefined();
    const rows = await rowsOf(one);
    expect(rows.map(({ state }) => state)).toEqual(["created", "created", "created"]);
  }, TIMEOUT);
  const last = only((await rowsOf(one)).filter(({ id }) => id !== one.id && id !== next.id));
  expect(only(await oneReferralEach(world, [last]))).toMatchObject({ medicare: false });
});

test("counts on tabs, on home and on the list of orders what the inbox lists", async () => {
  const buyer = await shopping.newShopper();
  const { order, requests } = await shopping.buyToForm(buyer, 2);
  const [failed, deleted] = await oneReferralEach(world, requests);
  await console.setStatus(failed?.uuid ?? "", "TRANSFERRED");
  await world.service.deleteReferral(deleted?.uuid ?? "");
  await eventually(async () => {
    const all = await itemsOf(null);
    expect(all.filter(({ name }) => name === order.name)).toHaveLength(2);
    const words = await wordsOn("/app/attention");
    const tabs = ["referral", "deleted_at_service"].map(async (reason) => {
      const { length } = await itemsOf(reason);
      expect(words).toContain(`${nameOfReason(reason)} ${length}`);
    });
    await Promise.all(tabs);
    const orders = `Needs attention ${new Set(all.map(({ name }) => name)).size} `;
    expect(await wordsOn("/app")).toContain(orders);
    expect(await wordsOn("/app/referrals")).toContain(orders);
  }, TIMEOUT);
});
