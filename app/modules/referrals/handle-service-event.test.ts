import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { START } from "../../../test/database/clock.ts";
import { openTestDatabase } from "../../../test/database/database.ts";
import { putRequest } from "../../../test/database/put-request.ts";
import { connect } from "../../../test/database/seed.ts";
import { startEvents } from "../../../test/database/service-events.ts";
import { resultSnapshot } from "../../../test/database/snapshots.ts";
import { shortKey } from "../../queue/short-key.ts";
import { REFETCH_PAUSE_MS } from "./events/refetch-pause.ts";
import { ANSWER_TIMEOUT_MS } from "./handle-service-event.ts";

const db = await openTestDatabase();

test("a hint about what nobody has looked at lately is followed at once", async () => {
  const { receive, event, waiting, uuid, shop } = await startEvents(db);
  expect(await (await receive(event("referral.issued")))()).toBe("queued");
  const [job] = await waiting();
  expect(job).toMatchObject({ name: "refetch-referral", key: shortKey(`${shop} staging ${uuid}`) });
  expect(job?.at.getTime()).toBeLessThanOrEqual(Date.now() + 1_000);
});

test("a hundred hints about what was just fetched wait for one fetch that sees what all of them told", async () => {
  const { receive, event, waiting, store, clock } = await startEvents(db);
  await store("ISSUED");
  for (let hint = 0; hint < 100; hint++) {
    clock.advance(10);
    await (await receive(event("referral.issued")))();
  }
  const jobs = await waiting();
  expect(jobs).toHaveLength(100);
  // One key and one time: the engine makes one job of them.
  expect(new Set(jobs.map(({ key }) => key)).size).toBe(1);
  const due = START.getTime() + REFETCH_PAUSE_MS;
  expect(new Set(jobs.map(({ at }) => at.getTime()))).toEqual(new Set([due]));
});

test("what tells of a result that nobody knew waits a second, so that all that comes meanwhile shares one look", async () => {
  const { receive, waiting, uuid } = await startEvents(db);
  const resultUuid = randomUUID();
  const startedAt = START.getTime();
  for (const type of ["result.created", "result.partial_results", "result.complete"])
    await (await receive({ id: randomUUID(), type, data: { referralUuid: uuid, resultUuid } }))();
  const looks = async (job: string) => {
    const jobs = (await waiting()).filter(({ name }) => name === job);
    const waited = jobs.map(({ at }) => at.getTime() - startedAt);
    return { waited, keys: new Set(jobs.map(({ key }) => key)).size };
  };
  // The referral comes first: its fetch asks for the result as well, and finds that asked for already.
  expect(await looks("refetch-referral")).toEqual({ waited: [1_000, 1_000, 1_000], keys: 1 });
  expect(await looks("refetch-result")).toEqual({ waited: [2_000, 2_000, 2_000], keys: 1 });
});

test("what tells of a result that is shown already is followed at once", async () => {
  const { receive, waiting, takeJobs, shop, requestId, uuid, clock } = await startEvents(db);
  const result = resultSnapshot({ referralUuid: uuid });
  await db.tenancy.inShop(shop, (tenant) =>
    tenant.results.save({
      ...{ environment: "staging", requestId, snapshot: result, partial: false, inReview: false },
      ...{ otherPerson: false, releasedAt: clock.now(), at: clock.now() },
    }),
  );
  await takeJobs();
  clock.advance(60_000);
  const event = { id: randomUUID(), type: "result.in_review", data: { uuid: result.uuid } };
  await (await receive(event))();
  const [look] = await waiting();
  expect(look?.name).toBe("refetch-result");
  expect(look?.at.getTime()).not.toBe(clock.now().getTime() + 1_000);
});

test("a hint that came before the last fetch began has been followed already", async () => {
  const { receive, event, waiting, store, clock } = await startEvents(db);
  const handle = await receive(event("referral.issued"));
  const sooner = await receive(event("referral.issued"));
  clock.advance(1_500);
  await store("ISSUED");
  expect(await handle()).toBe("queued");
  expect(await waiting()).toEqual([]);
  // Within what clocks may differ by, it is followed.
  const close = await receive(event("referral.issued"));
  await close();
  expect(await waiting()).toHaveLength(1);
  await sooner();
  expect(await waiting()).toHaveLength(1);
});

test("the form does not wait for the answer that announced it", async () => {
  const { receive, event, waiting, store } = await startEvents(db);
  await store("CREATED");
  await (await receive(event("referral.issued")))();
  expect((await waiting())[0]?.at.getTime()).not.toBe(START.getTime() + REFETCH_PAUSE_MS);
});

test("that a referral exists is no news once its create call has told", async () => {
  const { receive, event, waiting, store } = await startEvents(db);
  await store("CREATED");
  expect(await (await receive(event("referral.created")))()).toBe("known");
  expect(await waiting()).toEqual([]);
});

test("while a create call is under way its answer is waited for, and then no longer", async () => {
  const { receive, event, waiting, clock, shop, requestId } = await startEvents(db);
  await db.tenancy.inShop(shop, (tenant) => putRequest(tenant, requestId, { state: "sending" }));
  const handle = await receive(event("referral.created"));
  expect(await handle()).toBe("postponed");
  const [again] = await waiting();
  expect(again).toMatchObject({
    name: "handle-service-event",
    at: new Date(START.getTime() + ANSWER_TIMEOUT_MS),
  });
  clock.advance(ANSWER_TIMEOUT_MS);
  expect(await handle()).toBe("queued");
  expect((await waiting()).at(-1)?.name).toBe("refetch-referral");
});

test("with no create call under way, a referral that exists is looked at", async () => {
  const { receive, event, waiting } = await startEvents(db);
  expect(await (await receive(event("referral.created")))()).toBe("queued");
  expect((await waiting()).map(({ name }) => name)).toEqual(["refetch-referral"]);
});

test.each(["{", "[]", '{"type":"referral.issued"}', '{"type":"invoice.paid","id":"1"}'])(
  "an event that says %s has the list looked through, and is kept as unreadable",
  async (body) => {
    const { receive, waiting, shop } = await startEvents(db);
    const handle = await receive(body);
    expect(await handle()).toBe("sync");
    expect((await waiting()).map(({ name }) => name)).toEqual(["sync-connection"]);
    const { rows } = await db.pool.query("SELECT state, body_sealed FROM inbox WHERE shop = $1", [
      shop,
    ]);
    expect(rows).toEqual([{ state: "unreadable", body_sealed: null }]);
    expect(await handle()).toBe("gone");
  },
);

test("only a readable event that had to be signed proves that the service's events arrive", async () => {
  const { receive, event, shop } = await startEvents(db);
  await connect(db, shop);
  const proof = async () => {
    const connection = await db.tenancy.inShop(shop, (t) => t.connections.find("staging"));
    return [connection?.eventsReceived, connection?.signedEventAt !== null];
  };
  const scheme = (name: string) =>
    db.pool.query("UPDATE connections SET signing_scheme = $2 WHERE shop = $1", [shop, name]);
  await scheme("none");
  await (await receive(event("referral.issued")))();
  expect(await proof()).toEqual([1, false]);
  await scheme("standard-webhooks");
  await (await receive("{"))();
  expect(await proof()).toEqual([2, false]);
  await (await receive(event("referral.issued")))();
  expect(await proof()).toEqual([3, true]);
});
