import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { goShopping, only } from "../../test/flows/shopping.ts";
import { startWorld, type TestWorld } from "../../test/harness/index.ts";
import { type Figures, median } from "../figure.ts";

const ORDERS = 5;
const HINTS = 100;
const GETS_GOAL = 2;

/**
 * P6, counted by the sandbox's service in a whole world: its calls for one order, from payment to form, and the
 * GETs that a hundred different hints about one referral cost. Downloads of PDFs are no calls of the API.
 */
export async function measureCalls(): Promise<Figures> {
  // Regular looks at the whole list are not what is counted.
  await using world = await startWorld({ env: { PATHWAY_SYNC_INTERVAL_MS: "3600000" } });
  const shopping = goShopping(world);
  const orders: Record<string, number>[] = [];
  let uuid = "";
  for (let order = 0; order < ORDERS; order++) {
    const before = await calls(world);
    const { requests } = await shopping.buyToForm(await shopping.newShopper());
    await quiet(world);
    const after = await calls(world);
    orders.push({ creates: after.creates - before.creates, gets: after.gets - before.gets });
    uuid = await referralOf(world, only(requests).id);
  }
  const address = await world.pages.webhookAddress("staging");
  const { client_id: clientId, client_secret: clientSecret } = world.line.service;
  await world.pages.saveConnection({
    environment: "staging",
    clientId,
    clientSecret,
    signingScheme: "none",
    signingSecret: "",
  });
  const before = await calls(world);
  const hint = () =>
    fetch(address, {
      method: "POST",
      body: JSON.stringify({ id: randomUUID(), type: "referral.issued", data: { uuid } }),
    });
  const answers = await Promise.all(Array.from({ length: HINTS }, hint));
  if (answers.some(({ status }) => status !== 200)) throw new Error("a hint was not taken");
  await quiet(world);
  const hintGets = (await calls(world)).gets - before.gets;

  const creates = median(orders.map((order) => order.creates ?? Number.NaN));
  const gets = Math.max(...orders.map((order) => order.gets ?? Number.NaN));
  const goal = `≤ ${GETS_GOAL}`;
  return {
    "P6.creates": {
      value: creates,
      unit: "create calls per order",
      goal: "1",
      met: creates === 1,
      rounds: orders,
    },
    "P6.gets": {
      value: gets,
      unit: "GETs per order",
      goal,
      met: gets <= GETS_GOAL,
      rounds: orders,
    },
    "P6.hints": {
      value: hintGets,
      unit: `GETs for ${HINTS} hints about one referral`,
      goal,
      met: hintGets <= GETS_GOAL,
      rounds: [{ hints: HINTS, gets: hintGets }],
    },
  };
}

async function calls({ console: service }: TestWorld): Promise<{ creates: number; gets: number }> {
  const entries = Object.entries((await service.stats()).calls);
  const sum = (is: (call: string) => boolean) =>
    entries.filter(([call]) => is(call)).reduce((total, [, count]) => total + count, 0);
  return {
    creates: sum((call) => call === "POST /v1/referrals"),
    gets: sum((call) => /^GET \/v1\/(referrals|results)/.test(call)),
  };
}

/** Until nothing is to be done any more: no message, no work that is due within seconds. */
async function quiet({ sql }: TestWorld): Promise<void> {
  let quietRounds = 0;
  while (quietRounds < 5) {
    const open = await sql.count(
      `SELECT (SELECT count(*) FROM inbox WHERE state IN ('received', 'queued')) + (SELECT count(*) FROM outbox)
            + (SELECT count(*) FROM pgboss.job WHERE state < 'completed' AND start_after < now() + interval '40 s'
               AND name NOT LIKE '\\_\\_pgboss%' AND name <> 'resolve-ambiguous')`,
    );
    quietRounds = open === 0 ? quietRounds + 1 : 0;
    await delay(200);
  }
}

async function referralOf({ sql }: TestWorld, requestId: string): Promise<string> {
  const row = z.object({ uuid: z.string() });
  const found = await sql.rows(row, "SELECT uuid FROM referrals WHERE request_id = $1", [
    requestId,
  ]);
  return only(found).uuid;
}
