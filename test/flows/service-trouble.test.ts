import { afterEach, expect, test } from "vitest";
import { z } from "zod";
import { eventually, QUICK_WORLD, shareWorld } from "../harness/index.ts";
import { orderPage } from "../harness/pages.ts";
import { oneReferralEach } from "./at-the-service.ts";
import { documentsOf, requestsOf, timelineOf } from "./rows.ts";
import { goShopping, only } from "./shopping.ts";

/** Retries of the app wait up to ten seconds, an overdue attempt some twenty. */
const TIMEOUT = { timeoutMs: 120_000 };

const world = await shareWorld(QUICK_WORLD);
const shopping = goShopping(world);
afterEach(() => world.console.setFaults({}));

/** One unit whose details are given; what becomes of it is the test's business. */
async function sendOne() {
  const buyer = await shopping.newShopper();
  const order = await shopping.buy(buyer, [[shopping.product("tests").variantId, 1]]);
  const asked = await shopping.requestsWhen(order, 1);
  await shopping.giveDetails(buyer, asked);
  const { id } = only(asked);
  return {
    buyer,
    order,
    id,
    row: async () => only(await requestsOf(world.sql, order.id)),
    when: async (state: string) =>
      only(
        await shopping.requestsWhen(
          order,
          1,
          (request) => expect(request.state).toBe(state),
          TIMEOUT.timeoutMs,
        ),
      ),
  };
}

test("with a wrong secret the request waits and says why; with the right one it goes on", async () => {
  const { client_id: clientId, client_secret } = world.line.service;
  const save = (clientSecret: string) =>
    world.pages.saveConnection({
      environment: "staging",
      clientId,
      clientSecret,
      signingScheme: "standard-webhooks",
      signingSecret: "",
    });
  await save("not the client's secret");
  const request = await sendOne();
  await eventually(async () => {
    const { state, reviewReason } = await request.row();
    expect(state).toBe("ready");
    expect(reviewReason).toMatch(/^not_sent:/);
  }, TIMEOUT);

  await save(client_secret);
  await world.pages.testConnection("staging");
  const sent = await request.when("created");
  expect(sent.reviewReason).toBeNull();
  await oneReferralEach(world, [sent]);
});

test("whatever becomes of a create call whose answer is lost, there is one referral in the end", async () => {
  const { console } = world;
  /** To the end: what is sent again must not meet the next fault. */
  async function sendThrough() {
    const request = await sendOne();
    await request.when("created");
    return request;
  }
  await console.setFaults({ createCommitThenDrop: 1 });
  const committed = await sendThrough();
  // Beside somebody else's referral in a shape of its own.
  await console.setFaults({ createCommitThenDrop: 1, foreignReferral: "address-object" });
  const beside = await sendThrough();
  await console.setFaults({ createDropBeforeCommit: 1 });
  const dropped = await sendThrough();
  await console.setFaults({ createCommitThenError: 1 });
  const misreported = await sendThrough();

  await console.setFaults({ errorRate: 1 });
  const failed = await sendOne();
  await failed.when("ambiguous");
  await console.setFaults({});

  const sent = [
    await committed.when("created"),
    await beside.when("created"),
    await dropped.when("created"),
    await misreported.when("created"),
    await failed.when("created"),
  ];
  // A call that is sent again although the service has it makes a second one. An attempt that could not leave in time makes none.
  await oneReferralEach(world, sent);
  // The service failed for as long as it took us to see it.
  expect(sent.at(-1)?.attempt).toBeGreaterThanOrEqual(2);
  expect(await timelineOf(world.sql, dropped.id)).toEqual(
    expect.arrayContaining(["create_unknown", "scan_empty", "resend_allowed", "create_succeeded"]),
  );
});

/** A page's text as somebody reads it. */
const wordsOn = async (path: string) =>
  (await world.pages.open(path))
    .replaceAll(/<(script|style|svg|head)\b[\s\S]*?<\/\1>/g, "")
    .replaceAll(/<!--[\s\S]*?-->|<[^>]+>/g, " ")
    .replaceAll(/\s+/g, " ");

test("an outage is told truly on every page, from its first call to its last", async () => {
  await world.console.setFaults({ errorRate: 1 });
  const request = await sendOne();
  const page = orderPage(request.order);
  await eventually(async () => {
    expect(await wordsOn("/app")).toContain(
      "The referral service had an internal problem. It has been so since",
    );
    // Nobody has to wait for the banner to be told since when, and that there is nothing to do.
    const connection = await wordsOn("/app/settings/connection");
    expect(connection).toContain("had an internal problem. It has been so since");
    expect(connection).toContain("You don’t have to do anything.");
    expect(connection).toMatch(/\d tests? waits? for it\. Paid orders are stored/);
    expect(await wordsOn(page)).toContain(
      "Waiting for the service, which has taken no calls since",
    );
  }, TIMEOUT);
  expect(await wordsOn(page)).not.toContain("in a moment");
  for (const path of ["/app/attention", "/app/referrals?status=attention"])
    expect(await wordsOn(path)).not.toContain("on its way");
  // A test that meets the outage sends nobody back to the beginning.
  await world.pages.testConnection("staging");
  const setUp = await wordsOn("/app");
  expect(setUp).toContain("the service didn’t answer the last test. Test it again once it does");
  expect(setUp).not.toContain("Copy the client ID");
  expect(await wordsOn("/app/settings/connection")).not.toContain("check the service’s address");
  // It stays what it is while the service is spared.
  await eventually(async () => {
    const { retries } = await world.sql
      .rows(
        z.object({ retries: z.number() }),
        "SELECT coalesce(max(retry_count), 0)::int AS retries FROM pgboss.job WHERE data->>'requestId' = $1",
        [request.id],
      )
      .then(([row]) => row ?? { retries: 0 });
    expect(retries).toBeGreaterThan(2);
  }, TIMEOUT);
  expect(await wordsOn("/app")).toContain("had an internal problem. It has been so since");

  await world.console.setFaults({});
  await world.pages.testConnection("staging");
  await request.when("created");
  // Work that waits for its next turn is no trouble of its own.
  await eventually(async () => {
    const home = await wordsOn("/app");
    expect(home).not.toContain("internal problem");
    expect(home).not.toContain("send the line above");
  }, TIMEOUT);
});

test("a referral that appears late, and one that the list shows late, are adopted and not sent again", async () => {
  const { console } = world;
  // Both shorter than the quarantine, as the service's own delays have to be.
  await console.setFaults({ createLateCommitMs: 200 });
  const late = await sendOne();
  await late.when("created");
  await console.setFaults({ createCommitThenDrop: 1, staleListMs: 300 });
  const unlisted = await sendOne();
  await unlisted.when("created");
  await console.setFaults({});
  const sent = [await late.row(), await unlisted.row()];
  await oneReferralEach(world, sent);
});

test("a service that allows only a few calls gets each referral once", async () => {
  await world.console.setFaults({ rateLimit: { limit: 3, windowMs: 1_000 } });
  const requests = [await sendOne(), await sendOne(), await sendOne()];
  const sent = [];
  for (const request of requests) sent.push(await request.when("created"));
  await world.console.setFaults({});
  await oneReferralEach(world, sent);
});

test.each([404, 500])("a form that answers %i is fetched later", async (attachmentStatus) => {
  const downloads = async () =>
    Object.entries((await world.console.stats()).calls)
      .filter(([call]) => /attachment/i.test(call))
      .reduce((sum, [, count]) => sum + count, 0);
  await world.console.setFaults({ attachmentStatus });
  const before = await downloads();
  const request = await sendOne();
  await request.when("created");
  await eventually(async () => expect(await downloads()).toBeGreaterThan(before));
  expect(await documentsOf(world.sql, request.id)).toEqual([]);
  await world.console.setFaults({});
  await eventually(async () => {
    const stored = await documentsOf(world.sql, request.id);
    expect(stored.map(({ kind, version }) => [kind, version])).toEqual([["referral", 1]]);
  }, TIMEOUT);
});

test("names the host of a form that may not be fetched, and ends that when the form comes", async () => {
  await world.console.setFaults({ attachmentHost: "other" });
  const request = await sendOne();
  await eventually(async () => {
    const { reviewReason } = await request.row();
    expect(reviewReason).toMatch(/^document_refused:localhost:\d+$/);
  }, TIMEOUT);
  expect(await documentsOf(world.sql, request.id)).toEqual([]);
  await world.console.setFaults({});
  await eventually(async () => {
    const stored = await documentsOf(world.sql, request.id);
    expect(stored.map(({ kind, version }) => [kind, version])).toEqual([["referral", 1]]);
    expect((await request.row()).reviewReason).toBeNull();
  }, TIMEOUT);
});

test("tells nobody of a form that the service draws anew at each download", async () => {
  await world.console.setFaults({ formsDrawnAnew: true });
  const request = await sendOne();
  const newest = async () =>
    Math.max(...(await documentsOf(world.sql, request.id)).map(({ version }) => version));
  for (const version of [1, 2, 3]) {
    await eventually(async () => expect(await newest()).toBeGreaterThanOrEqual(version), TIMEOUT);
    const intent = { intent: "reissue-form", requestId: request.id };
    await world.pages.submit(orderPage(request.order), intent);
  }
  const kinds =
    "SELECT count(*) FROM notifications WHERE request_id = $1 AND kind = 'form_corrected'";
  expect(await world.sql.count(kinds, [request.id])).toBe(0);
});

test("orders at an organisation with version 1.0.0 only, whose tokens take no Basic header", async () => {
  await world.console.setFaults({ onlyVersion: "1.0.0", basicRefused: true });
  await world.pages.testConnection("staging");
  const request = await sendOne();
  const sent = await request.when("created");
  await world.console.setFaults({});
  await oneReferralEach(world, [sent]);
  await world.pages.testConnection("staging");
});

test("finds a result's report that was not there at the first reading", async () => {
  const request = await sendOne();
  const sent = await request.when("created");
  const [referral] = await oneReferralEach(world, [sent]);
  await world.console.setFaults({ reportLateMs: 2_000, webhooks: { drop: true } });
  await world.console.sendResults(referral?.uuid ?? "");
  await eventually(async () => {
    const stored = await documentsOf(world.sql, request.id);
    expect(stored.map(({ kind }) => kind)).toContain("result");
  }, TIMEOUT);
});

test("a service that hangs for a while gets each referral once", async () => {
  const { service } = await world.processes();
  process.kill(service, "SIGSTOP");
  let requests: Awaited<ReturnType<typeof sendOne>>[];
  try {
    requests = [await sendOne(), await sendOne()];
    for (const request of requests) await request.when("ambiguous");
  } finally {
    process.kill(service, "SIGCONT");
  }
  const sent = [];
  for (const request of requests) sent.push(await request.when("created"));
  await oneReferralEach(world, sent);
});

test("settles after the shop's return what was unclear when it left", async () => {
  // Nothing that the service is asked tells what became of it, until the shop is back.
  await world.console.setFaults({ errorRate: 1 });
  const request = await sendOne();
  await request.when("ambiguous");
  await world.store.uninstall();
  // The job that would have settled it finds the shop gone, and is done with it. Reminders wait for days.
  await eventually(
    async () =>
      expect(
        await world.sql.count(
          `SELECT (SELECT count(*) FROM outbox
                   WHERE payload->>'requestId' = $1 AND name <> 'send-reminder')
                + (SELECT count(*) FROM pgboss.job WHERE data->>'requestId' = $1
                   AND name <> 'send-reminder' AND state NOT IN ('completed', 'failed', 'cancelled'))`,
          [request.id],
        ),
      ).toBe(0),
    TIMEOUT,
  );
  expect((await request.row()).state).toBe("ambiguous");
  await world.console.setFaults({});
  await world.store.install();
  await oneReferralEach(world, [await request.when("created")]);
});
