import { afterEach, expect, test } from "vitest";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { startOddService } from "../../../../test/database/odd-service.ts";
import { answer } from "../../../clients/referral-service/testing/start-server.ts";
import { wireReferral } from "../../../clients/referral-service/testing/wire-samples.ts";
import { apply } from "../apply.ts";
import { cancelUnit } from "../cancel-unit.ts";
import { readStalledWork, STALLED_WORK } from "../postgres/stalled-work.ts";

const db = await openTestDatabase();

/** The deeds of others while a call is being refused. */
let whileRefused: (() => Promise<unknown>) | null = null;
afterEach(() => {
  whileRefused = null;
});

/** The jobs that take up what stands still for two hours: once the service can be reached, or by time. */
async function stalled(shop: string, isReachable: boolean) {
  await db.pool.query(
    "UPDATE referral_requests SET updated_at = now() - interval '2 hours' WHERE shop = $1",
    [shop],
  );
  const { rows } = await db.pool.query(STALLED_WORK, [shop, null, isReachable, isReachable]);
  return readStalledWork(rows);
}

/** A service that refuses to create, and answers as told from then on. */
async function start() {
  let reply: "refused" | "lost" | "created" = "refused";
  const odd = await startOddService(db, async ({ method, body }, response) => {
    if (method !== "POST") return answer(response, 200, { cursor: {}, referrals: [] });
    if (reply === "lost") return response.destroy();
    await whileRefused?.();
    if (reply === "refused")
      return answer(response, 401, { error: true, code: "INVALID_JWT", message: "" });
    const { referenceNumber, metadata } = JSON.parse(body);
    return answer(response, 200, wireReferral({ referenceNumber, metadata }));
  });
  return {
    ...odd,
    become: (next: typeof reply) => {
      reply = next;
    },
    /** How often the order came to need somebody since the last look: what the email and the store are told by. */
    async told() {
      const { rowCount } = await db.pool.query("DELETE FROM attention_news WHERE shop = $1", [
        odd.shop,
      ]);
      return rowCount;
    },
  };
}

const NOT_SENT = {
  code: "not_sent",
  detail: "POST /v1/referrals answered 401 INVALID_JWT",
} as const;

test("tells once of an order that the service refuses alone, however often it is sent again", async () => {
  const { create, find, told } = await start();
  for (const [attempt, news] of [1, 0, 0, 0].entries()) {
    expect(await create()).toEqual({ kind: "postponed", until: null });
    expect(await find()).toMatchObject({
      ...{ state: "ready", attempt: attempt + 1, reviewReason: NOT_SENT, stage: "attention" },
    });
    expect(await told(), `attempt ${attempt + 1}`).toBe(news);
  }
});

test("an order that is handled stays handled while it is refused alone", async () => {
  const { clock, create, find, requestId, shop, told } = await start();
  await create();
  await told();
  const by = { actor: "staff:7", at: clock.now() } as const;
  const handled = { kind: "handled", reason: NOT_SENT } as const;
  await db.tenancy.inShop(shop, (tenant) => apply(tenant, requestId, handled, by));
  expect(await find()).toMatchObject({ stage: "in_progress", handledReason: NOT_SENT });
  await create();
  expect(await find()).toMatchObject({ stage: "in_progress", handledReason: NOT_SENT });
  expect(await told()).toBe(0);
});

test.each(["store", "staff"] as const)(
  "an order that the %s cancelled while its credentials were refused is not sent once they are taken",
  async (by) => {
    const { become, clock, create, creates, find, requestId, shop } = await start();
    await create();
    const sent = creates().length;
    await db.tenancy.inShop(shop, (tenant) =>
      cancelUnit(tenant, { id: requestId }, { by, actor: "pathway", now: clock.now() }),
    );
    expect(await find()).toMatchObject({ state: "cancelled" });
    become("created");
    for (const isReachable of [true, false])
      expect(await stalled(shop, isReachable), "nothing asks for it").toEqual([]);
    // A job that was queued before.
    expect(await create()).toEqual({ kind: "not_due" });
    expect(creates()).toHaveLength(sent);
  },
);

test("an order that was cancelled while it was being refused is not sent again either", async () => {
  const { become, clock, creates, find, requestId, shop, create } = await start();
  const cancel = () =>
    db.tenancy.inShop(shop, (tenant) =>
      cancelUnit(tenant, { id: requestId }, { by: "store", actor: "shopify", now: clock.now() }),
    );
  whileRefused = cancel;
  expect(await create()).toEqual({ kind: "cancelled" });
  const sent = creates().length;
  expect(await find()).toMatchObject({ state: "cancelled" });
  become("created");
  expect(await create()).toEqual({ kind: "not_due" });
  expect(creates()).toHaveLength(sent);
});

test("nothing is left of the refusal once it is created, or its answer is lost", async () => {
  for (const reply of ["created", "lost"] as const) {
    const { become, create, find } = await start();
    await create();
    become(reply);
    await create();
    const state = reply === "lost" ? "ambiguous" : "created";
    expect(await find()).toMatchObject({ state, stage: "in_progress", reviewReason: null });
  }
});
