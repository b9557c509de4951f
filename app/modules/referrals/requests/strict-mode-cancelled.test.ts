import { expect, test } from "vitest";
import { BOTH_PARTS, startCreated } from "../../../../test/database/created.ts";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { CREATE_TIMEOUT_MS, QUARANTINE_MS } from "../../../../test/database/ledger.ts";
import { putRequest } from "../../../../test/database/put-request.ts";
import type { CreateBehaviour } from "../../../../test/database/small-service.ts";
import { cancelUnit } from "../cancel-unit.ts";
import type { Canceller } from "../cancellation.ts";
import { resolveAmbiguous } from "../resolve-ambiguous.ts";
import { mayRetry, retryRequest } from "../retry-request.ts";

const db = await openTestDatabase();

/** A create call in strict mode whose answer is lost, or that makes one referral of two. */
async function start(behaviour: CreateBehaviour) {
  const created = await startCreated(db, {
    items: BOTH_PARTS,
    behaviour,
    settings: { strictMode: true, refundPolicy: "automatic" },
  });
  const { shop, clock, requestId, resolve } = created;
  return {
    ...created,
    giveUp: (by: Canceller = "store") =>
      db.tenancy.inShop(shop, (tenant) =>
        cancelUnit(tenant, { id: requestId }, { by, actor: "pathway", now: clock.now() }),
      ),
    retry: () => retryRequest(created.ports, { ...created.target, actor: "staff:7" }),
    /** Two empty scans, the second after the quarantine. */
    async seek() {
      expect(await resolve()).toMatchObject({ kind: "scan_again" });
      clock.advance(CREATE_TIMEOUT_MS + QUARANTINE_MS);
      return resolve();
    },
  };
}

test.each<Canceller>(["store", "staff"])(
  "an unclear unit that the %s gives up ends when nothing is found: there is nothing to decide",
  async (by) => {
    const { seek, giveUp, find, create, service } = await start("reset_before");
    expect(await giveUp(by)).toBe("unsettled");
    expect(await seek()).toEqual({ kind: "cancelled" });
    expect(await find()).toMatchObject({
      state: "cancelled",
      reviewReason: null,
      cancellation: { requestedBy: by, status: "done" },
    });
    expect(await create()).toEqual({ kind: "not_due" });
    expect(service.calls).toHaveLength(1);
  },
);

test("an unclear unit whose patient was erased asks nobody, and is sent no more", async () => {
  const { seek, find, create, service, shop, requestId } = await start("reset_before");
  await db.pool.query(
    "UPDATE referral_requests SET patient_sealed = NULL WHERE shop = $1 AND id = $2",
    [shop, requestId],
  );
  await seek();
  expect(await find()).toMatchObject({ reviewReason: null, hasPatient: false });
  expect(await create()).toEqual({ kind: "not_due" });
  expect(service.calls).toHaveLength(1);
});

test("a unit that is given up while the last scan is read is left to nobody", async () => {
  const { resolve, clock, giveUp, find, ports, target } = await start("reset_before");
  await resolve();
  clock.advance(CREATE_TIMEOUT_MS + QUARANTINE_MS);
  const real = await ports.services.forConnection(target.shop, "staging");
  if (!real) throw new Error("no service");
  const slow = {
    ...real,
    async *referralsNewestFirst() {
      yield* real.referralsNewestFirst();
      await giveUp();
    },
  };
  const outcome = await resolveAmbiguous(
    { ...ports, services: { forConnection: async () => slow } },
    target,
  );
  expect(outcome).toEqual({ kind: "cancelled" });
  expect(await find()).toMatchObject({ state: "cancelled" });
});

test("a refund after a person was asked takes the question back, and the unit ends", async () => {
  const { seek, giveUp, find, takeJobs, retry, resolve, service } = await start("reset_before");
  expect(await seek()).toEqual({ kind: "needs_person" });
  await takeJobs();
  expect(await giveUp()).toBe("unsettled");
  const asked = await find();
  expect(asked).toMatchObject({
    state: "ambiguous",
    reviewReason: null,
    cancellation: { requestedBy: "store", status: "requested" },
  });
  expect(await takeJobs()).toEqual(["resolve-ambiguous"]);
  expect(asked && mayRetry({ ...asked, reviewReason: { code: "ambiguous", detail: null } })).toBe(
    false,
  );
  expect(await retry()).toEqual({ kind: "not_retryable" });
  // Told twice, it changes nothing.
  expect(await giveUp()).toBe("unsettled");
  expect(await takeJobs()).toEqual([]);
  expect(await resolve()).toEqual({ kind: "cancelled" });
  expect(service.calls).toHaveLength(1);
});

test("takes up an earlier refund that was asked about, when the refund is told again", async () => {
  const { seek, giveUp, find, takeJobs, shop, requestId } = await start("reset_before");
  await seek();
  await db.tenancy.inShop(shop, (tenant) =>
    putRequest(tenant, requestId, {
      cancellation: { requestedBy: "store", status: "requested" },
      reviewReason: { code: "ambiguous", detail: null },
    }),
  );
  await takeJobs();
  expect(await giveUp()).toBe("unsettled");
  expect(await find()).toMatchObject({ reviewReason: null });
  expect(await takeJobs()).toEqual(["resolve-ambiguous"]);
});

test("of a unit that is refunded with one referral of two, that one is deleted and the other never sent", async () => {
  const { seek, giveUp, find, takeJobs, retry, resolve, withdraw, create, service, uuids } =
    await start("create_half");
  expect(await seek()).toEqual({ kind: "needs_person" });
  expect(await find()).toMatchObject({ reviewReason: { code: "half_created", detail: null } });
  await takeJobs();
  expect(await giveUp()).toBe("unsettled");
  expect(await retry()).toEqual({ kind: "not_retryable" });
  expect(await takeJobs()).toEqual(["resolve-ambiguous"]);
  expect(await resolve()).toEqual({ kind: "cancelled" });
  expect(await withdraw()).toMatchObject({ kind: "deleted" });
  expect(await find()).toMatchObject({
    state: "cancelled",
    cancellation: { requestedBy: "store", status: "done" },
  });
  expect(await create()).toEqual({ kind: "not_due" });
  expect(service.deletions).toEqual(uuids());
  expect(service.calls).toHaveLength(1);
});

test("a unit that is refunded between a retry and its sending is not sent", async () => {
  const { seek, retry, create, find, service, shop, requestId } = await start("reset_before");
  await seek();
  expect(await retry()).toEqual({ kind: "queued" });
  await db.tenancy.inShop(shop, (tenant) =>
    putRequest(tenant, requestId, { cancellation: { requestedBy: "store", status: "requested" } }),
  );
  expect(await create()).toEqual({ kind: "cancelled" });
  expect(await find()).toMatchObject({
    state: "cancelled",
    cancellation: { requestedBy: "store", status: "done" },
  });
  expect(service.calls).toHaveLength(1);
});
