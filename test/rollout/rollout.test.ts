import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { setUp } from "../../sandbox/world/journey/set-up.ts";
import { startReaper } from "../../sandbox/world/reaper-client.ts";
import { oneReferralEach } from "../flows/at-the-service.ts";
import { mailTo } from "../flows/mailed-links.ts";
import { documentsOf, dueWork, requestsOf } from "../flows/rows.ts";
import { goShopping, only, type Shopper } from "../flows/shopping.ts";
import { eventually, type StoreOrder } from "../harness/index.ts";
import { buildFormer } from "./former-build.ts";
import {
  openTwoVersions,
  type TwoVersions,
  type Version,
  type VersionProcess,
} from "./two-versions.ts";

/** The machine may be busy: everything is waited for. */
const PATIENCE = { timeoutMs: 120_000 };
const ENDED = "ended with code 0";
const THIS = { name: "this" } as const;

/** The mails of an order, by a part of their subjects. */
const NEWS = {
  details: /few details/,
  form: /form is ready/,
  result: /something new/,
  invitation: /ordered something for you/,
};

/** Somebody's order of one test. */
interface Bought {
  buyer: Shopper;
  order: StoreOrder;
  /** The address of its recipient. */
  email: string;
}

test("orders get from payment to result while processes of the former version make way for this one's", async ({
  skip,
}) => {
  const reaper = startReaper();
  let world: TwoVersions | undefined;
  onTestFinished(async ({ task }) => {
    if (task.result?.state === "fail") process.stderr.write(`${world?.errors().join("\n")}\n`);
    await world?.close();
    await reaper.finish();
  });
  const former = await buildFormer((folder) => reaper.remove(folder));
  if ("reason" in former) {
    process.stderr.write(`A rollout beside a former version is left out: ${former.reason}\n`);
    return skip(former.reason);
  }
  world = await openTwoVersions(reaper);
  await rollOut(world, { name: "former", folder: former.folder });
}, 1_200_000);

async function rollOut(world: TwoVersions, FORMER: Version): Promise<void> {
  // The former version alone: an order that is through, one that waits for its result, and one for its details.
  await world.migrate(FORMER);
  const [formerWeb, formerWorker] = await Promise.all([
    world.start(FORMER, "web"),
    world.start(FORMER, "worker"),
  ]);
  const { buy, giveDetails, form, result, all } = await openShop(world);
  const through = (bought: Bought) => giveDetails(bought).then(() => form(bought));
  const buyThrough = async (count: number) =>
    Promise.all((await Promise.all(Array.from({ length: count }, buy))).map(through));
  const [whole, , waiting] = await Promise.all([buy(), buy().then(through), buy()]);
  await through(whole);
  await result(whole);

  // This version's migration, while the former one's processes work.
  await Promise.all([world.migrate(THIS), buyThrough(3)]);
  await buyThrough(1);

  // Both versions. Each process has its share.
  const [web, worker] = await Promise.all([world.start(THIS, "web"), world.start(THIS, "worker")]);
  const shares = await Promise.all(
    [formerWeb, formerWorker, web, worker].map(async (one) => ({ one, had: await doneBy(one) })),
  );
  await through(waiting);
  // Staff meet the one and the other.
  for (let times = 0; times < 4; times++) await world.pages.open("/app");
  const idle = async () => {
    const done = await Promise.all(shares.map(async ({ one, had }) => (await doneBy(one)) - had));
    return shares.filter((_, index) => done[index] === 0).map(({ one }) => one.name);
  };
  for (let round = 1; round === 1 || (round < 6 && (await idle()).length > 0); round++)
    await buyThrough(4);
  expect(await idle()).toEqual([]);

  // A process of the former version is started again, by its own npm run migrate, and the one before it ends amid calls.
  await world.console.setFaults({ createDelayMs: 3_000 });
  const calling = await Promise.all(Array.from({ length: 4 }, buy));
  const sending = "SELECT count(*) FROM referral_requests WHERE state = 'sending'";
  const begun = eventually(async () => expect(await world.sql.count(sending)).toBeGreaterThan(0), {
    what: "a call under way",
    ...PATIENCE,
  });
  await Promise.all([begun, ...calling.map(giveDetails)]);
  expect(await formerWorker.end()).toBe(ENDED);
  await world.migrate(FORMER);
  const again = await world.start(FORMER, "worker", 2);
  await Promise.all(calling.map(form));
  await world.console.setFaults({});

  // The others of the former version end, each amid orders.
  for (const leaving of [again, formerWeb]) {
    const [ended] = await Promise.all([leaving.end(), buyThrough(4)]);
    expect(ended).toBe(ENDED);
  }

  // This version alone, which has every result.
  await buyThrough(1);
  await Promise.all(all.filter((bought) => bought !== whole).map(result));
  await eventually(async () => expect(await dueWork(world.sql)).toEqual([]), PATIENCE);
  expect(all.length).toBeGreaterThan(20);
  await nothingLostOrDoubled(world, all);
  expect(world.errors()).toEqual([]);
}

/** Sets the shop up, and answers who buys there and how it goes on. `all` has every order. */
async function openShop(world: TwoVersions) {
  const { products } = await setUp(
    { appUrl: world.appUrl, ...world.ready },
    { step: (_name, act) => act() },
  );
  const shopping = goShopping({ ...world, line: { products } });
  const { variantId } = shopping.product("bundle");
  const all: Bought[] = [];
  return {
    all,
    async buy(): Promise<Bought> {
      const buyer = await shopping.newShopper();
      const order = await shopping.buy(buyer, [[variantId, 1]]);
      const bought = { buyer, order, email: `for-${buyer.email}` };
      all.push(bought);
      await shopping.requestsWhen(order, 1, undefined, PATIENCE.timeoutMs);
      await mailTo(world, buyer.email, NEWS.details);
      return bought;
    },
    async giveDetails({ buyer, order, email }: Bought) {
      const patient = { ...shopping.patient(), email };
      await shopping.giveDetails(buyer, await requestsOf(world.sql, order.id), patient);
    },
    async form({ buyer, email }: Bought) {
      await eventually(
        async () => expect(only(await buyer.api.requests()).state).toBe("form_ready"),
        { what: `the form of ${buyer.email}`, ...PATIENCE },
      );
      await mailTo(world, buyer.email, NEWS.form);
      await mailTo(world, email, NEWS.invitation);
    },
    async result({ buyer, order }: Bought) {
      const { uuid } = only(await oneReferralEach(world, await requestsOf(world.sql, order.id)));
      await world.console.sendResults(uuid, { seed: 7 });
      const resultId = await eventually(
        async () => {
          const { resultId } = only(await buyer.api.requests());
          if (!resultId) throw new Error("There is no result");
          return resultId;
        },
        { what: `the result of ${buyer.email}`, ...PATIENCE },
      );
      expect(await buyer.api.resultStatus(resultId)).toBe(200);
      await mailTo(world, buyer.email, NEWS.result);
    },
  };
}

/** How many messages a web process has taken, or jobs a worker has done. */
const doneBy = async (process: VersionProcess) =>
  (await process.counted("pathway_webhooks_total", { outcome: "accepted" })) +
  (await process.counted("pathway_jobs_total", { outcome: "completed" }));

/** What the rows, the service, the store and everybody's inbox say of the orders, each of which has its result. */
async function nothingLostOrDoubled(world: TwoVersions, all: readonly Bought[]): Promise<void> {
  const requests = (await Promise.all(all.map(({ order }) => requestsOf(world.sql, order.id)))).map(
    only,
  );
  expect(requests.map(({ state, reviewReason }) => ({ state, reviewReason }))).toEqual(
    all.map(() => ({ state: "created", reviewReason: null })),
  );
  const { referralsByReferenceNumber } = await world.console.stats();
  expect(referralsByReferenceNumber).toEqual(
    Object.fromEntries(requests.map(({ referenceNumber }) => [referenceNumber, 1])),
  );
  for (const table of ["orders", "referral_requests", "referrals", "results"])
    expect(await world.sql.count(`SELECT count(*) FROM ${table}`), table).toBe(all.length);
  for (const { id } of requests)
    expect(
      (await documentsOf(world.sql, id)).map(({ kind, version }) => ({ kind, version })),
    ).toEqual([
      { kind: "referral", version: 1 },
      { kind: "result", version: 1 },
    ]);

  const left = await world.sql.rows(
    z.object({ name: z.string(), state: z.string() }),
    "SELECT name, state::text FROM pgboss.job WHERE state IN ('failed', 'cancelled')",
  );
  expect(left, "jobs given up").toEqual([]);
  const refused = (await world.store.deliveries()).filter(({ status }) => status !== 200);
  expect(refused, "messages of the store that nobody took").toEqual([]);

  const mails = (await world.store.mail()).map(({ to, subject }) => `${to}: ${newsIn(subject)}`);
  const expected = all.flatMap(({ buyer, email }) => [
    ...[NEWS.details, NEWS.form, NEWS.result].map((news) => `${buyer.email}: ${news}`),
    `${email}: ${NEWS.invitation}`,
  ]);
  expect(mails.toSorted()).toEqual(expected.toSorted());
}

/** The kind of mail that a subject tells; the whole subject where it is none of these. */
const newsIn = (subject: string) =>
  Object.values(NEWS).find((news) => news.test(subject)) ?? subject;
