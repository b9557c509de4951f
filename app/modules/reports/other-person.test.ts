/** Long because a referral that names somebody else is tried at each reading, and with all that shows it. */
import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { BOTH_PARTS, CARD } from "../../../test/database/created.ts";
import { openTestDatabase } from "../../../test/database/database.ts";
import { CREATE_TIMEOUT_MS, QUARANTINE_MS } from "../../../test/database/ledger.ts";
import { startOddService } from "../../../test/database/odd-service.ts";
import { ONE_TEST, storeOrder } from "../../../test/database/seed.ts";
import { answer } from "../../clients/referral-service/testing/start-server.ts";
import { wireReferral, wireResult } from "../../clients/referral-service/testing/wire-samples.ts";
import { openDocument } from "../access/open-document.ts";
import { openResult } from "../access/open-result.ts";
import { gid } from "../kernel/ids.ts";
import { isDue } from "../notifications/notifications/is-due.ts";
import { gatherFacts, isVisible } from "../referrals/request-facts.ts";
import { markHandled } from "./mark-handled.ts";
import type { Tenant } from "./tenant.ts";

const db = await openTestDatabase();

const SOMEBODY = { firstName: "Somebody", lastName: "Else", dob: "1950-01-01" };
const PERSON = { firstName: "Ada", lastName: "Citizen", dob: "1990-01-02" };
const STAFF = "staff:7";

/** A service whose referral has our number and names whom it is told to, with a form and a result. */
async function startNaming(fields: Record<string, unknown>, items = ONE_TEST, lost = false) {
  const result = { uuid: randomUUID(), referralUuid: "", updatedAt: "2026-11-20T00:00:00.000Z" };
  const referral: Record<string, unknown> = {
    ...{ uuid: randomUUID(), status: "ISSUED", resultsUuid: null },
    ...{ referralAttachment: "https://service.example/form.pdf", ...fields },
  };
  result.referralUuid = String(referral.uuid);
  const seen: Record<string, unknown> = { person: fields.person };
  const odd = await startOddService(
    db,
    ({ method, target, body }, response) => {
      if (method === "POST") {
        const { referenceNumber, metadata } = JSON.parse(body);
        Object.assign(referral, { referenceNumber, metadata });
        if (lost) return response.destroy();
      }
      if (target.startsWith("/v1/results/"))
        return answer(response, 200, wireResult({ ...result, ...seen }));
      const whole = wireReferral(referral);
      if (target.startsWith("/v1/referrals?"))
        return answer(response, 200, {
          cursor: { cursor: "", count: 20, resultCount: 1 },
          referrals: [whole],
        });
      answer(response, 200, whole);
    },
    items,
  );
  const { shop, requestId, ports, clock } = odd;
  ports.attachments = {
    download: async () => ({ kind: "pdf", bytes: Buffer.from("%PDF-1.7 form") }),
  };
  const uuid = String(referral.uuid);
  /** Changes what the service says of the referral, and hears of it. */
  async function become(now: Record<string, unknown>) {
    clock.advance(60_000);
    Object.assign(referral, { updatedAt: clock.now().toISOString(), ...now });
    await odd.refetch(uuid);
  }
  const inShop = <T>(work: (tenant: Tenant) => Promise<T>) => db.tenancy.inShop(shop, work);
  const order = storeOrder({ id: gid("Order", 1001) });
  await inShop((tenant) => tenant.orders.record(order, new Map(), clock.now()));
  async function shown() {
    return inShop(async (tenant) => {
      const request = await tenant.requests.find(requestId);
      const [facts] = request ? await gatherFacts(tenant, [request]) : [];
      if (!request || !facts) throw new Error("no request");
      const [document] = facts.documents;
      if (!document) throw new Error("no form is stored");
      return {
        visible: isVisible(document, facts),
        mailed: await isDue(tenant, request, { requestId, kind: "form_ready" }),
        documentId: document.id,
      };
    });
  }
  const viewer = { kind: "customer", customerId: gid("Customer", 7) } as const;
  async function opensForm(documentId: string) {
    return (await openDocument(ports, { shop, viewer, documentId })) !== null;
  }
  return {
    ...odd,
    uuid,
    seen,
    become,
    shown,
    reason: async () => (await odd.find())?.reason?.code ?? null,
    async sees() {
      const { visible, mailed, documentId } = await shown();
      return { visible, mailed, opened: await opensForm(documentId) };
    },
    async comesResult(named?: Record<string, unknown>) {
      if (named) seen.person = named;
      clock.advance(60_000);
      result.updatedAt = clock.now().toISOString();
      await odd.refetchResult(result.uuid);
      const stored = await inShop((tenant) => tenant.results.find(result.uuid));
      return { otherPerson: stored?.otherPerson, released: stored?.releasedAt != null };
    },
    /** The page's one word for it now. */
    async read() {
      const items = await inShop((tenant) => tenant.overview.attentionOf([order.id]));
      const item = items.find(({ reason }) => reason.code === "referral_other_person");
      return { seen: item?.version ?? null, forms: item?.forms };
    },
    handled: (reason: string | null, more: { seen?: string | null; isOneOfMany?: boolean } = {}) =>
      markHandled(ports, { shop, orderId: order.id, reason, actor: STAFF, ...more }),
    /** Whether its patient can open this version of a form. */
    opensForm,
    /** The result as its patient opens it. */
    async opens() {
      return (await openResult(ports, { shop, viewer, resultId: result.uuid })) !== null;
    },
    posted: () => odd.creates().length,
    async queued() {
      const { rows } = await db.pool.query<{ name: string }>(
        "SELECT name FROM outbox WHERE shop = $1 ORDER BY id",
        [shop],
      );
      return rows.map(({ name }) => name);
    },
  };
}

const NOTHING = { visible: false, mailed: false, opened: false };
const ALL = { visible: true, mailed: true, opened: true };

test.each([
  ["name and date of birth", { person: SOMEBODY }],
  ["date of birth", { person: { ...PERSON, dob: "1990-01-03" } }],
  ["first name", { person: { ...PERSON, firstName: "Bea" } }],
])("shows nobody a form that names another %s", async (_what, fields) => {
  const one = await startNaming(fields);
  expect(await one.create()).toEqual({ kind: "created", uuids: [one.uuid] });
  expect(await one.reason()).toBe("referral_other_person");
  await one.refetch(one.uuid);
  expect(await one.sees()).toEqual(NOTHING);
  // A result that names the right person came of this very referral.
  expect(await one.comesResult(PERSON)).toEqual({ otherPerson: true, released: false });
  expect(await one.reason()).toBe("referral_other_person");
  expect(await one.create()).toEqual({ kind: "not_due" });
  expect(await one.resolve()).toEqual({ kind: "nothing_to_resolve" });
  expect(one.posted()).toBe(1);
  expect(await one.story(one.requestId)).toContain("referral_other_person");
  // It is put right at the service.
  await one.become({ person: PERSON });
  expect(await one.sees()).toEqual(ALL);
  expect(await one.comesResult()).toEqual({ otherPerson: false, released: true });
  expect(await one.reason()).toBeNull();
});

test("shows nobody the form of a Medicare referral on another person's card", async () => {
  const items = { ...BOTH_PARTS, tests: [], bundleId: null };
  const card = { person: PERSON, medicare: true, medicareCardNumber: "5123456701" };
  const one = await startNaming(card, items);
  await one.create();
  expect(await one.reason()).toBe("referral_other_person");
  await one.become({ medicareCardNumber: CARD.medicareCardNumber.slice(0, 10) });
  expect(await one.reason()).toBeNull();
  expect(await one.sees()).toEqual(ALL);
});

test("links a lost answer's referral of another person, and orders nothing again", async () => {
  const one = await startNaming({ person: SOMEBODY }, ONE_TEST, true);
  expect(await one.create()).toEqual({ kind: "ambiguous" });
  one.clock.advance(CREATE_TIMEOUT_MS + QUARANTINE_MS);
  expect(await one.resolve()).toEqual({ kind: "linked", uuids: [one.uuid] });
  expect(await one.reason()).toBe("referral_other_person");
  await one.refetch(one.uuid);
  expect(await one.sees()).toEqual(NOTHING);
  expect(one.posted()).toBe(1);
});

test("takes a form away that names another person at a later reading", async () => {
  const one = await startNaming({ person: PERSON });
  await one.create();
  await one.refetch(one.uuid);
  expect(await one.sees()).toEqual(ALL);
  expect(await one.comesResult()).toEqual({ otherPerson: false, released: true });
  await one.become({ person: SOMEBODY });
  expect(await one.sees()).toEqual(NOTHING);
  expect(await one.reason()).toBe("referral_other_person");
  expect(await one.comesResult()).toEqual({ otherPerson: true, released: false });
});

test("tells the store of no form that names another person, and of it once it is the patient's", async () => {
  const tells = async ({ shop }: Awaited<ReturnType<typeof startNaming>>) => {
    const text = `SELECT payload->>'milestone' AS milestone FROM outbox WHERE shop = $1`;
    const { rows } = await db.pool.query<{ milestone: string | null }>(text, [shop]);
    return rows.some(({ milestone }) => milestone === "referral_issued");
  };
  for (const end of ["put right", "confirmed"]) {
    const one = await startNaming({ person: SOMEBODY });
    await db.pool.query("UPDATE shops SET tag_orders = true WHERE shop = $1", [one.shop]);
    await one.create();
    await one.refetch(one.uuid);
    expect(await tells(one)).toBe(false);
    await (end === "confirmed"
      ? one.handled("referral_other_person", await one.read())
      : one.become({ person: PERSON, status: "COMPLETE" }));
    expect(await tells(one)).toBe(true);
  }
});

test("withholds a result that was shown, with the referral that it came of", async () => {
  const one = await startNaming({ person: PERSON });
  await one.create();
  expect(await one.comesResult()).toEqual({ otherPerson: false, released: true });
  expect(await one.opens()).toBe(true);
  await one.takeJobs();
  await one.become({ person: SOMEBODY });
  // The service may not give the result again for hours.
  expect(await one.opens()).toBe(false);
  expect(await one.queued()).toContain("refetch-result");
  expect(await one.comesResult()).toEqual({ otherPerson: true, released: false });
  await one.takeJobs();
  await one.become({ person: PERSON });
  expect(await one.queued()).toContain("refetch-result");
  expect(await one.comesResult()).toEqual({ otherPerson: false, released: true });
});

test("takes a person who is changed fact by fact for another", async () => {
  const one = await startNaming({ person: PERSON });
  await one.create();
  await one.refetch(one.uuid);
  await one.become({ person: { ...PERSON, lastName: "Else" } });
  expect(await one.sees()).toEqual(ALL);
  await one.become({ person: { ...PERSON, lastName: "Else", firstName: "Somebody" } });
  expect(await one.sees()).toEqual(NOTHING);
  await one.become({ person: SOMEBODY });
  expect(await one.sees()).toEqual(NOTHING);
  expect(await one.reason()).toBe("referral_other_person");
});

test("takes no reading that names nobody for a word about who is named", async () => {
  const one = await startNaming({ person: null });
  await one.create();
  await one.refetch(one.uuid);
  expect(await one.sees()).toEqual(ALL);
  expect(await one.comesResult(SOMEBODY)).toEqual({ otherPerson: true, released: false });
  await one.become({ person: SOMEBODY });
  expect(await one.sees()).toEqual(NOTHING);
  // Leaving it out puts nothing right.
  await one.become({ person: null });
  await one.become({ person: null });
  expect(await one.sees()).toEqual(NOTHING);
  expect(await one.reason()).toBe("referral_other_person");
  await one.become({ person: PERSON });
  expect(await one.sees()).toEqual(ALL);
});

test("takes no result that names nobody for a word about whom it named before", async () => {
  const one = await startNaming({ person: PERSON });
  await one.create();
  expect(await one.comesResult(SOMEBODY)).toEqual({ otherPerson: true, released: false });
  // Neither leaving the person out puts it right, nor one fact of the patient's alone, however often.
  for (const silent of [null, null, { firstName: null, lastName: null, dob: PERSON.dob }, null]) {
    one.seen.person = silent;
    expect(await one.comesResult()).toEqual({ otherPerson: true, released: false });
    expect(await one.reason()).toBe("result_other_person");
  }
  expect(await one.opens()).toBe(false);
  expect(await one.comesResult(PERSON)).toEqual({ otherPerson: false, released: true });
  expect(await one.reason()).toBeNull();
});

test("withholds for no longer than its referral a result that never named anybody", async () => {
  const one = await startNaming({ person: PERSON });
  await one.create();
  one.seen.person = null;
  expect(await one.comesResult()).toEqual({ otherPerson: false, released: true });
  await one.become({ person: SOMEBODY });
  expect(await one.comesResult()).toEqual({ otherPerson: true, released: false });
  await one.become({ person: PERSON });
  expect(await one.comesResult()).toEqual({ otherPerson: false, released: true });
});

test("keeps another person's form away where the service puts the name right after the results", async () => {
  const one = await startNaming({ person: SOMEBODY });
  await one.create();
  await one.refetch(one.uuid);
  const { documentId } = await one.shown();
  await one.become({ person: PERSON, status: "COMPLETE", referralAttachment: null });
  expect(await one.opensForm(documentId)).toBe(false);
});

test("shows the form once a person has said, of this very item, that it is the same person", async () => {
  const married = { ...PERSON, lastName: "Married" };
  const one = await startNaming({ person: married });
  await one.create();
  await one.refetch(one.uuid);
  expect(await one.comesResult()).toEqual({ otherPerson: true, released: false });
  expect(await one.handled(null)).toEqual({ kind: "nothing_open" });
  expect(await one.handled(null, { isOneOfMany: true })).toEqual({ kind: "nothing_open" });
  expect(await one.sees()).toEqual(NOTHING);
  await one.takeJobs();
  expect(await one.handled("referral_other_person", await one.read())).toMatchObject({
    kind: "marked",
  });
  expect(await one.queued()).toEqual(expect.arrayContaining(["refetch-referral", "send-mail"]));
  expect(await one.sees()).toEqual(ALL);
  // It stays so for as long as the same person is named, by the referral and by its result.
  await one.become({});
  expect(await one.sees()).toEqual(ALL);
  expect(await one.comesResult()).toEqual({ otherPerson: false, released: true });
  expect(await one.reason()).toBeNull();
  expect(await one.comesResult(SOMEBODY)).toEqual({ otherPerson: true, released: false });
  expect(await one.reason()).toBe("result_other_person");
  await one.become({ person: SOMEBODY });
  expect(await one.sees()).toEqual(NOTHING);
  expect(await one.reason()).toBe("referral_other_person");
});

test("takes staff's word about whom a form names for those forms alone that they were shown", async () => {
  const one = await startNaming({ person: { ...PERSON, lastName: "Married" } });
  await one.create();
  const about = (seen: string | null) => one.handled("referral_other_person", { seen });
  const changed = { kind: "nothing_open" };
  // A word about no page, and one among many.
  expect(await about(null)).toEqual(changed);
  const first = await one.read();
  expect(first.forms).toBe(1);
  expect(
    await one.handled("referral_other_person", { seen: first.seen, isOneOfMany: true }),
  ).toEqual(changed);
  // It names somebody else since.
  await one.become({ person: SOMEBODY });
  expect(await about(first.seen)).toEqual(changed);
  // The other referral of the unit names somebody else as well.
  const second = await one.read();
  await db.pool.query(
    `INSERT INTO referrals (shop, uuid, environment, request_id, medicare, status, reference, origin, snapshot_sealed,
                            service_created_at, service_updated_at, other_person, fetched_at)
     SELECT shop, $2, environment, request_id, true, status, reference, origin, snapshot_sealed, service_created_at,
            service_updated_at, true, fetched_at FROM referrals WHERE shop = $1`,
    [one.shop, randomUUID()],
  );
  expect(await about(second.seen)).toEqual(changed);
  const others = () =>
    db.pool
      .query<{ is: boolean }>("SELECT other_person AS is FROM referrals WHERE shop = $1", [
        one.shop,
      ])
      .then(({ rows }) => rows.map(({ is }) => is));
  expect(await others()).toEqual([true, true]);
  expect(await one.reason()).toBe("referral_other_person");
  expect(await one.story(one.requestId)).not.toContain("attention_handled");
  const both = await one.read();
  expect(both.forms).toBe(2);
  expect(await about(both.seen)).toMatchObject({ kind: "marked" });
  expect(await others()).toEqual([false, false]);
});

test.each([
  ["in capitals, with a title and a middle name", { firstName: "MRS ADA  MAY", dob: null }],
  ["with the day of birth as forms have it", { dob: "02/01/1990" }],
  ["with the day of birth as a moment elsewhere", { dob: "1990-01-01T13:00:00Z" }],
  ["without a name", { firstName: null, lastName: "" }],
  ["without anything", null],
  ["with a number for a date of birth", { dob: 631238400000 }],
])("shows the form of the same person %s", async (_how, change) => {
  const one = await startNaming({ person: change && { ...PERSON, ...change, gender: "unknown" } });
  await one.create();
  await one.refetch(one.uuid);
  expect(await one.sees()).toEqual(ALL);
  expect(await one.reason()).toBeNull();
});
