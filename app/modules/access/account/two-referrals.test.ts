import { createHash, randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { BOTH_PARTS, startCreated } from "../../../../test/database/created.ts";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { putRequest } from "../../../../test/database/put-request.ts";
import type { CreateBehaviour } from "../../../../test/database/small-service.ts";
import { resultSnapshot } from "../../../../test/database/snapshots.ts";
import {
  wireBiomarker,
  wireResult,
} from "../../../clients/referral-service/testing/wire-samples.ts";
import { resultSchema } from "../../../clients/referral-service/wire/result.ts";
import { presentCustomerRequest } from "../../../web/customer-interface/present-request.ts";
import { gid } from "../../kernel/ids.ts";
import type { DocumentKind } from "../../referrals/document.ts";
import type { ReferralPart } from "../../referrals/request.ts";
import { findCustomerRequest, listCustomerRequests } from "../list-requests.ts";
import { openDocument } from "../open-document.ts";
import { openResult } from "../open-result.ts";

const db = await openTestDatabase();

interface Reported {
  day?: string;
  value?: string;
  released?: boolean;
  inReview?: boolean;
  partial?: boolean;
}

/** A unit of a bundle and of tests under Medicare, both of which the service has. */
async function start(behaviour: CreateBehaviour = "create") {
  const created = await startCreated(db, { items: BOTH_PARTS, behaviour });
  const { shop, ports, requestId } = created;
  const referrals = await created.referrals();
  const referralOf = (part: ReferralPart) =>
    referrals.find(({ medicare }) => medicare === (part === "medicare"))?.uuid ?? "";
  const viewerScope = (customer = 7) =>
    ({ shop, viewer: { kind: "customer", customerId: gid("Customer", customer) } }) as const;
  return {
    ...created,
    referralOf,
    async store(kind: DocumentKind, sourceUuid: string) {
      const pdf = Buffer.from(`%PDF-1.7 ${kind} ${sourceUuid}`);
      const sha256 = createHash("sha256").update(pdf).digest("hex");
      const id = randomUUID();
      const customerId = gid("Customer", 7);
      const document = { id, requestId, customerId, kind, sourceUuid, partial: false, sha256 };
      await db.tenancy.inShop(shop, (tenant) =>
        tenant.documents.store({ ...document, bytes: pdf.length }, pdf, ports.clock.now()),
      );
      return id;
    },
    /** Stores what the laboratory reports on one part. Answers the result's id. */
    async report(part: ReferralPart, how: Reported = {}) {
      const { day = "2026-09-01", value = "44", released = true } = how;
      const wire = wireResult({
        uuid: randomUUID(),
        biomarkers: [wireBiomarker({ value, formattedValue: `${value} ug/L` })],
      });
      const snapshot = resultSnapshot({
        ...resultSchema.parse(wire),
        whole: undefined,
        referralUuid: referralOf(part),
        resultDate: `${day}T01:00:00.000Z`,
        productName: null,
      });
      const at = ports.clock.now();
      const { inReview = false, partial = false } = how;
      const releasedAt = released ? at : null;
      const result = {
        environment: "staging" as const,
        requestId,
        snapshot,
        partial,
        inReview,
        otherPerson: false,
      };
      await db.tenancy.inShop(shop, (tenant) => tenant.results.save({ ...result, releasedAt, at }));
      return snapshot.uuid;
    },
    async see(customer = 7) {
      const [request] = await listCustomerRequests(ports, viewerScope(customer));
      return request && presentCustomerRequest(request);
    },
    read: (resultId: string, customer = 7) =>
      openResult(ports, { ...viewerScope(customer), resultId }),
    open: async (documentId: string, customer = 7) =>
      (await openDocument(ports, { ...viewerScope(customer), documentId }))?.pdf.toString(),
  };
}

describe("a unit with two referrals", () => {
  test("shows both forms, each with the part that it is of", async () => {
    const { store, referralOf, see, open, become } = await start();
    await become({ status: "ISSUED" });
    const first = await store("referral", referralOf("commercial"));
    expect(await see()).toMatchObject({
      state: "form_ready",
      parts: [
        { part: "commercial", state: "form_ready" },
        { part: "medicare", state: "being_prepared" },
      ],
    });
    const second = await store("referral", referralOf("medicare"));
    const seen = await see();
    expect(seen?.nextStep).toContain("both referral forms");
    expect(seen?.parts.map(({ state }) => state)).toEqual(["form_ready", "form_ready"]);
    expect(new Map(seen?.documents.map(({ id, part }) => [id, part]))).toEqual(
      new Map([
        [first, "commercial"],
        [second, "medicare"],
      ]),
    );
    for (const id of [first, second]) expect(await open(id)).toContain("%PDF");
  });

  test("shows both results and both reports, whichever came first", async () => {
    const { report, store, see, read, open } = await start();
    const medicare = await report("medicare");
    expect(await see()).toMatchObject({
      state: "partial_results",
      resultId: medicare,
      parts: [{ state: "being_prepared" }, { state: "results_ready", resultId: medicare }],
    });
    const commercial = await report("commercial");
    const reports = [
      [await store("result", commercial), "commercial", commercial],
      [await store("result", medicare), "medicare", medicare],
    ];
    const seen = await see();
    expect(seen).toMatchObject({
      state: "results_ready",
      parts: [
        { part: "commercial", state: "results_ready", resultId: commercial },
        { part: "medicare", state: "results_ready", resultId: medicare },
      ],
    });
    expect(
      seen?.documents.map(({ id, part, resultId }) => [id, part, resultId]).toSorted(),
    ).toEqual(reports.toSorted());
    for (const [id = ""] of reports) expect(await open(id)).toContain("%PDF");
    expect(await read(commercial)).toMatchObject({ title: "Iron studies", part: "commercial" });
    expect(await read(medicare)).toMatchObject({ title: "Iron studies", part: "medicare" });
  });

  test.each([{ released: false }, { released: false, inReview: true }])(
    "tells of a result that is not released (%j) only that it exists",
    async (how) => {
      const { report, store, see, read, open } = await start();
      const commercial = await report("commercial");
      const held = await report("medicare", how);
      const hidden = await store("result", held);
      const seen = await see();
      expect(seen).toMatchObject({
        state: "partial_results",
        resultId: commercial,
        parts: [{ state: "results_ready", resultId: commercial }, { state: "in_review" }],
      });
      expect(JSON.stringify(seen)).not.toContain(held);
      expect(JSON.stringify(seen)).not.toContain(hidden);
      expect(await read(held)).toBeNull();
      expect(await open(hidden)).toBeUndefined();
      expect(await read(commercial)).not.toBeNull();
    },
  );

  test("shows nothing of either to anybody else, nor after it was cancelled", async () => {
    const { report, store, see, read, open, shop, requestId } = await start();
    const results = [await report("commercial"), await report("medicare")];
    const documents = [];
    for (const uuid of results) documents.push(await store("result", uuid));
    expect(await see(8)).toBeUndefined();
    for (const uuid of results) expect(await read(uuid, 8)).toBeNull();
    for (const id of documents) expect(await open(id, 8)).toBeUndefined();
    await db.tenancy.inShop(shop, (t) => putRequest(t, requestId, { state: "cancelled" }));
    const seen = await see();
    expect(seen).toMatchObject({ state: "cancelled", parts: [], documents: [] });
    expect(seen?.resultId).toBeUndefined();
    for (const uuid of results) expect(await read(uuid)).toBeNull();
  });

  test("of which one is still to be made has not all of its results", async () => {
    const { report, see } = await start("create_half");
    const commercial = await report("commercial");
    expect(await see()).toMatchObject({
      state: "partial_results",
      parts: [
        { part: "commercial", state: "results_ready", resultId: commercial },
        { part: "medicare", state: "being_prepared" },
      ],
    });
  });

  test("tells what is the matter with the part that is stuck", async () => {
    const { report, see, service, referralOf, refetch } = await start();
    const commercial = await report("commercial");
    service.set(referralOf("medicare"), { status: "FAILED_TEST" });
    await refetch();
    const seen = await see();
    expect(seen?.parts).toMatchObject([
      { state: "results_ready", resultId: commercial },
      { state: "needs_support", nextStep: expect.stringContaining("laboratory") },
    ]);
  });
});

test("a unit with one referral has no parts", async () => {
  const { shop, ports } = await startCreated(db);
  const viewer = { kind: "customer", customerId: gid("Customer", 7) } as const;
  expect(await listCustomerRequests(ports, { shop, viewer })).toMatchObject([{ parts: [] }]);
});

describe("the trend of a unit with two results", () => {
  const earlier = async ({ read }: Awaited<ReturnType<typeof start>>, resultId: string) =>
    (await read(resultId))?.categories
      .flatMap(({ biomarkers }) => biomarkers)
      .flatMap(({ history }) => history.map(({ value }) => value));

  test("puts the other result's value before the one that was measured later", async () => {
    const unit = await start();
    const first = await unit.report("medicare", { day: "2026-08-01", value: "30" });
    const second = await unit.report("commercial", { day: "2026-09-01", value: "40" });
    expect(await earlier(unit, second)).toEqual(["30"]);
    expect(await earlier(unit, first)).toEqual([]);
  });

  test("does not take two reports of one day for a change, nor one that is not released", async () => {
    const unit = await start();
    const one = await unit.report("medicare", { day: "2026-09-01", value: "30" });
    const other = await unit.report("commercial", { day: "2026-09-01", value: "40" });
    expect(await earlier(unit, one)).toEqual([]);
    expect(await earlier(unit, other)).toEqual([]);
    const held = await start();
    await held.report("medicare", { day: "2026-08-01", released: false });
    expect(await earlier(held, await held.report("commercial"))).toEqual([]);
  });
});

test("a unit whose Medicare part was ordered again speaks of the other part alone, and of its one form", async () => {
  const { shop, ports, requestId, become, reorder, store, referralOf, service, refetch } =
    await start();
  await become({ status: "ISSUED" });
  service.set(referralOf("medicare"), { status: "FAILED_TEST" });
  await refetch();
  expect(await reorder()).toMatchObject({ kind: "reordered" });
  await store("referral", referralOf("commercial"));
  const viewer = { kind: "customer", customerId: gid("Customer", 7) } as const;
  expect(await findCustomerRequest(ports, { shop, viewer, requestId })).toMatchObject({
    state: "form_ready",
    nextStep: "Open the referral form and take it to a collection centre.",
    parts: [{ part: "commercial", state: "form_ready" }],
  });
});
