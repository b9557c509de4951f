import { expect, test } from "vitest";
import { START } from "../../../test/database/clock.ts";
import { openTestDatabase } from "../../../test/database/database.ts";
import { startEvents } from "../../../test/database/service-events.ts";
import { AttachmentUnavailable, ReferralServiceError } from "../../platform/errors.ts";
import { shortKey } from "../../queue/short-key.ts";
import { REFETCH_PAUSE_MS } from "./events/refetch-pause.ts";
import { refetchWhenDue } from "./refetch-when-due.ts";
import { FIRST_LOOK_MS } from "./requests/link-referrals.ts";

const db = await openTestDatabase();

/** A referral that the service has issued, and the job that looks at it; `whileAsked` runs between its GET and its answer. */
async function startReferral() {
  const events = await startEvents(db);
  const { shop, ports, service, clock } = events;
  await events.create();
  const afterCreate = (await events.waiting()).filter(({ name }) => name === "refetch-referral");
  await events.takeJobs();
  const uuid = String(service.referrals[0]?.uuid);
  clock.advance(60_000);
  const happens = (status: string) =>
    service.set(uuid, { status, updatedAt: clock.now().toISOString() });
  happens("ISSUED");
  let asked = 0;
  let whileAsked = async () => {};
  let isFound = true;
  const services: typeof ports.services = {
    async forConnection(...connection) {
      const client = await ports.services.forConnection(...connection);
      if (!client) return null;
      const getReferral = async (id: string) => {
        asked++;
        const answer = await client.getReferral(id);
        await whileAsked();
        return isFound ? answer : null;
      };
      return { ...client, getReferral };
    },
  };
  const target = { shop, environment: "staging" as const, uuid };
  return {
    ...events,
    uuid,
    afterCreate,
    happens,
    asked: () => asked,
    during: (work: () => Promise<void>) => {
      whileAsked = work;
    },
    find: (found: boolean) => {
      isFound = found;
    },
    hint: async () =>
      (
        await events.receive({ id: crypto.randomUUID(), type: "referral.issued", data: { uuid } })
      )(),
    refetch: (retries = 0, ifStill?: "CREATED") =>
      refetchWhenDue(
        { ...ports, services },
        "refetch-referral",
        { ...target, ifStill },
        { retries },
      ),
    status: () =>
      db.tenancy.inShop(shop, async (tenant) => (await tenant.referrals.find(uuid))?.status),
  };
}

test("a form that is still to be made is looked for after its event has had time to come", async () => {
  const { afterCreate, refetch, asked, status } = await startReferral();
  const due = START.getTime() + FIRST_LOOK_MS;
  expect(afterCreate.map(({ at, key }) => [at.getTime(), key.endsWith(`@${due}`)])).toEqual([
    [due, true],
  ]);
  // No event came.
  expect(await refetch(0, "CREATED")).toMatchObject({ kind: "stored", status: "ISSUED" });
  expect([asked(), await status()]).toEqual([1, "ISSUED"]);
});

test("a form that its event has brought is not fetched a second time", async () => {
  const { refetch, hint, asked, waiting, clock } = await startReferral();
  expect(await hint()).toBe("queued");
  expect((await waiting()).map(({ key }) => key.includes("@"))).toEqual([false]);
  expect(await refetch()).toMatchObject({ kind: "stored", status: "ISSUED" });
  expect(await refetch(0, "CREATED")).toEqual({ kind: "known" });
  clock.advance(REFETCH_PAUSE_MS);
  expect(await refetch(0, "CREATED")).toEqual({ kind: "known" });
  expect(asked()).toBe(1);
  // A fetch that failed is done again, whatever is stored.
  expect(await refetch(1, "CREATED")).toMatchObject({ kind: "stored" });
});

test("an event whose fetch still found no form does not end the look for it", async () => {
  const { refetch, happens, asked, status } = await startReferral();
  happens("CREATED");
  expect(await refetch()).toMatchObject({ kind: "stored", status: "CREATED" });
  happens("ISSUED");
  expect(await refetch(0, "CREATED")).toMatchObject({ kind: "stored", status: "ISSUED" });
  expect([asked(), await status()]).toEqual([2, "ISSUED"]);
});

test("a fetch that follows another at once is put off, under the same key, and then made", async () => {
  const { refetch, waiting, asked, happens, status, clock } = await startReferral();
  const askedAt = clock.now().getTime();
  expect(await refetch()).toMatchObject({ kind: "stored", status: "ISSUED" });
  const before = await waiting();
  happens("CANCELLED");
  clock.advance(REFETCH_PAUSE_MS - 1);
  expect(await refetch()).toEqual({ kind: "put_off" });
  expect(await refetch()).toEqual({ kind: "put_off" });
  expect(asked()).toBe(1);
  const jobs = (await waiting()).slice(before.length);
  expect(jobs.map(({ name }) => name)).toEqual(["refetch-referral", "refetch-referral"]);
  expect(new Set(jobs.map(({ key }) => key)).size).toBe(1);
  for (const { at } of jobs) expect(at.getTime()).toBe(askedAt + REFETCH_PAUSE_MS);
  clock.advance(1);
  expect(await refetch()).toMatchObject({ kind: "stored", status: "CANCELLED" });
  expect(await status()).toBe("CANCELLED");
});

test("a change while a fetch is under way is not lost: its hint leads to another", async () => {
  const { refetch, during, happens, hint, waiting, status, clock } = await startReferral();
  during(async () => {
    // The answer was made before this.
    during(async () => {});
    happens("CANCELLED");
    expect(await hint()).toBe("queued");
  });
  await refetch();
  expect(await status()).toBe("ISSUED");
  const due = (await waiting()).filter(({ key }) => !key.includes("@"));
  expect(due.map(({ name }) => name)).toEqual(["refetch-referral"]);
  expect(await refetch()).toEqual({ kind: "put_off" });
  clock.advance(REFETCH_PAUSE_MS);
  await refetch();
  expect(await status()).toBe("CANCELLED");
});

test("a clock that was set back keeps nothing waiting", async () => {
  const { refetch, hint, waiting, takeJobs, asked, clock } = await startReferral();
  const askedAt = clock.now().getTime();
  await refetch();
  await takeJobs();
  clock.advance(-3_600_000);
  expect(await hint()).toBe("queued");
  const [job] = await waiting();
  expect(job?.at.getTime()).not.toBe(askedAt + REFETCH_PAUSE_MS);
  await refetch();
  expect(asked()).toBe(2);
});

test("a fetch that failed is made again when its turn comes, and not as a new one at each pause", async () => {
  const { refetch, waiting, uuid, service, clock } = await startReferral();
  const away = { referralAttachment: "https://files.example/form.pdf" };
  service.set(uuid, { ...away, updatedAt: clock.now().toISOString() });
  const before = (await waiting()).length;
  const startedAt = clock.now().getTime();
  for (const retries of [0, 1, 2]) {
    await expect(refetch(retries)).rejects.toThrow(AttachmentUnavailable);
    clock.advance(1_000);
  }
  // One look, by its key, at the moment in which a person is to be told.
  const later = (await waiting()).slice(before);
  expect(new Set(later.map(({ at }) => at.getTime()))).toEqual(new Set([startedAt + 600_000]));
  expect(new Set(later.map(({ key }) => key)).size).toBe(1);
});

test("tells of a page in the place of an answer by its status", async () => {
  const { refetch, uuid, clock, shop, during } = await startReferral();
  const said = `GET /v1/referrals/${uuid} answered 404`;
  during(() => Promise.reject(new ReferralServiceError("contract_mismatch", said)));
  expect(await refetch(3)).toEqual({ kind: "unreadable" });
  const entries = await db.tenancy.inShop(shop, ({ unreadable }) =>
    unreadable.list("staging", clock.now()),
  );
  expect(entries).toMatchObject([{ uuid, field: "answered 404" }]);
});

test("tells a person once of a referral whose answer cannot be read, and takes it back when it can", async () => {
  const { refetch, service, uuid, clock, shop, status, story, requestId } = await startReferral();
  const told = () =>
    db.tenancy.inShop(shop, async (tenant) => ({
      entries: (await tenant.unreadable.list("staging", clock.now())).map((one) => one.field),
      reviewReason: (await tenant.requests.find(requestId))?.reviewReason,
    }));
  service.set(uuid, { medicare: 7 });
  // The job runner makes another turn of no other error.
  for (const retries of [0, 1, 2])
    await expect(refetch(retries)).rejects.toMatchObject({
      ...{ code: "referral_service_contract_mismatch", retryable: true },
    });
  expect(await told()).toEqual({ entries: [], reviewReason: null });
  for (const _ of [1, 2]) expect(await refetch(3)).toEqual({ kind: "unreadable" });
  expect(await told()).toEqual({
    entries: ["medicare invalid_union"],
    reviewReason: { code: "unreadable_at_service", detail: null },
  });
  expect((await story(requestId)).filter((kind) => kind === "answer_unreadable")).toHaveLength(1);
  service.set(uuid, {
    ...{ status: "COMPLETE", medicare: false, updatedAt: clock.now().toISOString() },
  });
  expect(await refetch(3)).toMatchObject({ kind: "stored" });
  expect(await status()).toBe("COMPLETE");
  expect(await told()).toEqual({ entries: [], reviewReason: null });
});

test("tells a person of a referral that the service does not find any more, and takes it back when it does", async () => {
  const { refetch, find, shop, status, story, requestId, happens } = await startReferral();
  const reason = () =>
    db.tenancy.inShop(
      shop,
      async (tenant) => (await tenant.requests.find(requestId))?.reviewReason?.code ?? null,
    );
  find(false);
  for (const retries of [0, 1, 2])
    await expect(refetch(retries)).rejects.toMatchObject({
      ...{ code: "not_found_at_service", retryable: true },
    });
  expect(await reason()).toBeNull();
  for (const _ of [1, 2]) expect(await refetch(3)).toEqual({ kind: "not_found" });
  expect(await reason()).toBe("unreadable_at_service");
  expect((await story(requestId)).filter((kind) => kind === "answer_unreadable")).toHaveLength(1);
  // It is no deletion: what is known stays.
  expect(await status()).toBe("CREATED");
  find(true);
  happens("ISSUED");
  expect(await refetch(3)).toMatchObject({ kind: "stored" });
  expect(await reason()).toBeNull();
});

test("says nothing of a referral that is deleted at the service, or that nobody here ordered", async () => {
  const { refetch, find, shop, story, requestId, uuid, ports } = await startReferral();
  await db.pool.query("UPDATE referrals SET deleted_at = now() WHERE shop = $1", [shop]);
  find(false);
  expect(await refetch(0)).toEqual({ kind: "not_found" });
  const stranger = { shop, environment: "staging" as const, uuid: crypto.randomUUID() };
  expect(await refetchWhenDue(ports, "refetch-referral", stranger, { retries: 3 })).toEqual({
    kind: "not_found",
  });
  expect(uuid).not.toBe(stranger.uuid);
  expect(await story(requestId)).not.toContain("answer_unreadable");
});

test("what nobody here knows has a second turn behind everything that is known, under a key of its own", async () => {
  const { shop, ports, waiting, takeJobs, refetch, status } = await startReferral();
  await takeJobs();
  const uuid = crypto.randomUUID();
  const target = { shop, environment: "staging" as const, uuid };
  const look = (behind?: true) =>
    refetchWhenDue(ports, "refetch-referral", { ...target, behind }, { retries: 0 });
  expect(await look()).toEqual({ kind: "put_off" });
  expect((await waiting()).map(({ key }) => key)).toEqual([
    shortKey(`${shop} staging ${uuid} behind`),
  ]);
  await takeJobs();
  // Its second turn asks, whatever is known by then, and no third follows.
  expect(await look(true)).toEqual({ kind: "not_found" });
  expect(await waiting()).toEqual([]);
  expect(await refetch()).toMatchObject({ kind: "stored" });
  expect(await status()).toBe("ISSUED");
});
