import { describe, expect, test } from "vitest";
import { BOTH_PARTS, startCreated } from "../../../../test/database/created.ts";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { CREATE_TIMEOUT_MS, QUARANTINE_MS } from "../../../../test/database/ledger.ts";
import { PATIENT } from "../../../../test/database/seed.ts";
import type { CreateBehaviour } from "../../../../test/database/small-service.ts";
import { cancelUnit } from "../cancel-unit.ts";
import { retryRequest } from "../retry-request.ts";

const db = await openTestDatabase();
const start = (behaviour: CreateBehaviour, settings = {}) =>
  startCreated(db, { items: BOTH_PARTS, behaviour, settings });
type Started = Awaited<ReturnType<typeof start>>;

const madeAt = ({ service }: Started) => service.referrals.map(({ medicare }) => medicare).sort();
/** Until the ledger knows that the other part is certainly missing. */
async function seek({ resolve, clock }: Started) {
  expect(await resolve()).toMatchObject({ kind: "scan_again" });
  clock.advance(CREATE_TIMEOUT_MS + QUARANTINE_MS);
  return resolve();
}

describe("of a Medicare order only one referral was made", () => {
  test.each([
    ["create_half", "medicare", ["medicareTests"]],
    ["create_medicare_half", "commercial", ["tests"]],
  ] as const)(
    "%s: only the other one is sent, once it is certainly missing",
    async (behaviour, missingPart, sent) => {
      const created = await start(behaviour);
      expect(await created.find()).toMatchObject({ state: "ambiguous", missingPart });
      expect(await created.create()).toEqual({ kind: "not_due" });
      expect(await seek(created)).toEqual({ kind: "resend" });
      expect(await created.create()).toMatchObject({ kind: "created" });
      const [whole, rest] = created.service.calls;
      expect(rest?.referenceNumber).toBe(whole?.referenceNumber);
      const lists = Object.keys(rest ?? {}).filter((key) => /tests$/i.test(key));
      expect(lists).toEqual(sent);
      expect(madeAt(created)).toEqual([false, true]);
      expect(await created.find()).toMatchObject({
        state: "created",
        missingPart: null,
        reviewReason: null,
      });
      await created.refetch();
      expect(await created.find()).toMatchObject({
        state: "created",
        missingPart: null,
        reviewReason: null,
      });
    },
  );

  test("the other one is sent with the correction that is on its way to the first", async () => {
    const created = await start("create_half");
    const corrected = { ...PATIENT, lastName: "Citizen-Smith" };
    await db.tenancy.inShop(created.shop, (tenant) =>
      tenant.corrections.add(created.requestId, corrected, created.clock.now()),
    );
    expect(await seek(created)).toEqual({ kind: "resend" });
    expect(await created.create()).toMatchObject({ kind: "created" });
    expect(created.service.calls).toMatchObject([
      { lastName: PATIENT.lastName },
      { lastName: "Citizen-Smith" },
    ]);
  });

  test("hearing of the first one again and again asks for it no more", async () => {
    const created = await start("create_half");
    // Its form is waited for no more.
    await created.become({ status: "PARTIAL_RESULTS" });
    await created.takeJobs();
    for (let n = 0; n < 3; n++) {
      await created.refetch();
      expect(await created.takeJobs()).not.toContain("refetch-referral");
    }
  });

  test("the other one that was only late is found, and nothing is sent", async () => {
    const created = await start("create_half");
    const [late] = created.service.referrals;
    created.service.referrals.unshift({ ...late, uuid: crypto.randomUUID(), medicare: true });
    expect(await created.resolve()).toMatchObject({ kind: "linked" });
    expect(await created.find()).toMatchObject({ state: "created", missingPart: null });
    expect(created.service.calls).toHaveLength(1);
  });

  test("the other one is sent also when a restored database has forgotten the attempt", async () => {
    const created = await start("create_half");
    const { requestId, service } = created;
    await db.pool.query("DELETE FROM referrals WHERE request_id = $1", [requestId]);
    await db.pool.query(
      `UPDATE referral_requests SET state = 'ready', missing_part = NULL, attempt = 0,
         attempt_started_at = NULL, attempt_deadline_at = NULL, recovery_lower_bound = NULL WHERE id = $1`,
      [requestId],
    );
    await created.refetch();
    expect(await created.find()).toMatchObject({ state: "ambiguous", missingPart: "medicare" });
    expect(await seek(created)).toEqual({ kind: "resend" });
    expect(await created.create()).toMatchObject({ kind: "created" });
    expect(service.calls).toHaveLength(2);
    expect(madeAt(created)).toEqual([false, true]);
  });

  test("hearing of the first one again does not begin anew", async () => {
    const created = await start("create_half");
    await created.resolve();
    await created.refetch();
    expect(await created.find()).toMatchObject({
      state: "ambiguous",
      missingPart: "medicare",
      emptyScans: 1,
    });
  });

  test("in strict mode a person sends it", async () => {
    const created = await start("create_half", { strictMode: true });
    const retry = () => retryRequest(created.ports, { ...created.target, actor: "staff:7" });
    expect(await retry()).toEqual({ kind: "not_retryable" });
    expect(await seek(created)).toEqual({ kind: "needs_person" });
    expect(await created.find()).toMatchObject({
      reviewReason: { code: "half_created", detail: null },
    });
    expect(await created.create()).toEqual({ kind: "not_due" });
    expect(await retry()).toEqual({ kind: "queued" });
    await created.create();
    expect(madeAt(created)).toEqual([false, true]);
  });

  test("an unclear attempt for it is looked for by its part, and sent once more", async () => {
    const created = await start("create_half");
    await seek(created);
    created.service.next("reset_before");
    expect(await created.create()).toEqual({ kind: "ambiguous" });
    // The first part is in the list, and does not count.
    expect(await seek(created)).toEqual({ kind: "resend" });
    created.service.next("reset_after");
    await created.create();
    expect(await created.resolve()).toMatchObject({ kind: "linked" });
    expect(madeAt(created)).toEqual([false, true]);
  });

  test("its refusal leaves the first one, and can be retried", async () => {
    const created = await start("create_half");
    await seek(created);
    created.service.next("reject");
    await created.create();
    expect(await created.find()).toMatchObject({
      state: "created",
      missingPart: "medicare",
      reviewReason: { code: "half_rejected", detail: "INVALID_PAYLOAD" },
    });
    await retryRequest(created.ports, { ...created.target, actor: "staff:7" });
    await created.create();
    expect(madeAt(created)).toEqual([false, true]);
    expect(await created.find()).toMatchObject({
      state: "created",
      missingPart: null,
      reviewReason: null,
    });
  });

  test("a refund meanwhile deletes the first one, and the other is never sent", async () => {
    const created = await start("create_half");
    const { shop, clock } = created;
    const request = await created.find();
    if (!request) throw new Error("it is gone");
    const wish = { by: "store", actor: "shopify", now: clock.now() } as const;
    const take = () => db.tenancy.inShop(shop, (tenant) => cancelUnit(tenant, request, wish));
    expect(await take()).toBe("unsettled");
    expect(await seek(created)).toEqual({ kind: "cancelled" });
    expect(await created.create()).toEqual({ kind: "not_due" });
    expect(await created.withdraw()).toMatchObject({ kind: "deleted" });
    expect(await created.find()).toMatchObject({
      state: "cancelled",
      cancellation: { requestedBy: "store", status: "done" },
    });
    expect(created.service.deletions).toEqual(created.uuids());
    expect(created.service.calls).toHaveLength(1);
  });
});
