/** Long because all of its tests need the same three processes behind a proxy. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { createAppPages } from "../../sandbox/world/drivers/app-pages.ts";
import { isAlive } from "../../sandbox/world/process-life.ts";
import { SERVED_BY } from "../../sandbox/world/round-robin.ts";
import {
  eventually,
  QUICK_WORLD,
  SHIPPING_ADDRESS,
  startWorld,
  type TestWorld,
} from "../harness/index.ts";
import { savePolicies } from "../harness/pages.ts";
import { oneReferralEach } from "./at-the-service.ts";
import { linkIn, mailedCode, mailTo, openByForm, tokenIn } from "./mailed-links.ts";
import { requestsOf } from "./rows.ts";
import { goShopping, only, type Shopping } from "./shopping.ts";
import { deliverWebhook, webhookHeaders } from "./webhook-post.ts";

/** One process that serves and works, and two that only serve, behind a proxy that gives each request to the next. */
let world: TestWorld;
let shopping: Shopping;
beforeAll(async () => {
  world = await startWorld({ ...QUICK_WORLD, webs: 2, accounts: "legacy" });
  shopping = goShopping(world);
});
afterAll(() => world?.stop(), 60_000);

/** The same address at one process, past the proxy. Counts from 0, and begins again after the last. */
function at(process: number, address: string): string {
  const { web_urls: all } = world.line;
  const url = new URL(address, world.line.app_url);
  return `${all[process % all.length]}${url.pathname}${url.search}`;
}
const atEach = <T>(ask: (process: number) => Promise<T>): Promise<T[]> =>
  Promise.all(world.line.web_urls.map((_, process) => ask(process)));
const statusAtEach = (address: string, init: RequestInit) =>
  atEach(async (process) => {
    const answer = await fetch(at(process, address), { redirect: "manual", ...init });
    await answer.body?.cancel();
    return answer.status;
  });

test("gives each request to the next process", async () => {
  await eventually(async () => {
    const served = [];
    for (let n = 0; n < 6; n++)
      served.push((await fetch(`${world.line.app_url}/healthz`)).headers.get(SERVED_BY));
    expect(new Set(served)).toEqual(new Set(["0", "1", "2"]));
  });
});

test("walks an order from its payment to its results, whichever process a request comes to", async () => {
  const buyer = await shopping.newShopper();
  const { order, requests } = await shopping.buyToForm(buyer, 2);
  const [referral] = await oneReferralEach(world, requests);
  await world.console.sendResults(referral?.uuid ?? "", { abnormal: true, seed: 7 });
  const bearer = `Bearer ${await world.store.customerToken(buyer.id)}`;
  await eventually(async () => {
    const lists = await atEach(async (process) => {
      const path = at(process, "/api/customer/requests");
      return (await fetch(path, { headers: { authorization: bearer } })).json();
    });
    expect(lists[0].filter((one: { resultId?: string }) => one.resultId)).toHaveLength(1);
    for (const list of lists) expect(list).toEqual(lists[0]);
  });
  expect(await requestsOf(world.sql, order.id)).toHaveLength(2);
});

test("stores a message once that every process gets at the same moment", async () => {
  const body = JSON.stringify({ id: 1, admin_graphql_api_id: "gid://shopify/Order/1" });
  const headers = webhookHeaders(world, { topic: "orders/updated", body, eventId: "to-everybody" });
  const told = await statusAtEach("/webhooks", { method: "POST", headers, body });
  expect(told).toEqual([200, 200, 200]);
  expect(
    await world.sql.count("SELECT count(*) FROM inbox WHERE event_id = $1", ["to-everybody"]),
  ).toBe(1);
});

describe("a guest by a mailed link", () => {
  const seen = z.array(z.looseObject({ id: z.string(), resultId: z.string().nullish() }));

  async function guestWithLink(name: string) {
    const email = `${name}-${process.pid}@example.com`;
    const order = await world.store.createOrder({
      email,
      lines: [{ variantId: shopping.product("bundle").variantId, quantity: 1 }],
      shippingAddress: SHIPPING_ADDRESS,
    });
    return { email, order, link: linkIn(await mailTo(world, email, /few details/)) };
  }
  const formTokenIn = (page: string) => /name="form_token" value="([^"]+)"/.exec(page)?.[1] ?? "";

  test("fills in a form of one process at another, and leaves everywhere at a third", async () => {
    const { order, link, email } = await guestWithLink("spread");
    const { address, cookie } = await openByForm(at(0, link));
    expect(await statusAtEach(address, { headers: { cookie } })).toEqual([200, 200, 200]);
    // The link has been used: no other browser gets in by it, wherever it asks.
    const opening = { method: "POST", body: new URLSearchParams({ intent: "open" }) };
    expect(await statusAtEach(link, opening)).toEqual([404, 404, 404]);

    const request = only(await requestsOf(world.sql, order.id));
    const details = `${address}/requests/${request.id}/details`;
    const page = await (await fetch(at(1, `${details}?who=me`), { headers: { cookie } })).text();
    const patient = shopping.patient();
    const [year = "", month = "", day = ""] = patient.dob.split("-");
    const form = {
      ...{
        form_token: formTokenIn(page),
        firstName: patient.firstName,
        lastName: patient.lastName,
      },
      ...{ email, phone: patient.phone, gender: patient.gender, consent: "yes" },
      ...{ "dob.day": day, "dob.month": month, "dob.year": year },
      ...Object.fromEntries(
        Object.entries(patient.address).map(([field, value]) => [`address.${field}`, value]),
      ),
    };
    const send = (changed: Record<string, string> = {}) => ({
      method: "POST",
      headers: { cookie },
      body: new URLSearchParams({ ...form, ...changed }),
    });
    expect(await statusAtEach(details, send({ form_token: "another" }))).toEqual([403, 403, 403]);
    // All three at the same moment, while the test is being ordered: saved once, and each is told that it is.
    await world.console.setFaults({ createDelayMs: 1_500 });
    expect(await statusAtEach(details, send())).toEqual([303, 303, 303]);
    await world.console.setFaults({});
    await mailTo(world, email, /form is ready/);
    await oneReferralEach(world, await requestsOf(world.sql, order.id));
    expect(
      await world.sql.count("SELECT count(*) FROM consents WHERE request_id = $1", [request.id]),
    ).toBe(1);

    const data = await (await fetch(at(2, `${address}/data`), { headers: { cookie } })).text();
    const end = { form_token: formTokenIn(data) };
    const left = await fetch(at(2, `${address}/data/visits`), {
      ...{ method: "POST", headers: { cookie }, body: new URLSearchParams(end) },
    });
    expect(left.status).toBe(200);
    for (const status of await statusAtEach(address, { headers: { cookie } }))
      expect(status).not.toBe(200);
  });

  test("shows a code that one process mailed to another, and wrong ones are counted together", async () => {
    const { email, order, link } = await guestWithLink("code");
    const request = only(await requestsOf(world.sql, order.id));
    const asking = { authorization: `Bearer ${tokenIn(link)}`, "content-type": "application/json" };
    const given = await fetch(at(1, `/api/customer/requests/${request.id}/patient`), {
      ...{ method: "PUT", headers: asking, body: JSON.stringify(shopping.patient()) },
    });
    expect(given.status).toBe(200);
    await mailTo(world, email, /form is ready/);
    const [referral] = await oneReferralEach(world, await requestsOf(world.sql, order.id));
    await world.console.sendResults(referral?.uuid ?? "", { abnormal: true, seed: 7 });
    const token = tokenIn(linkIn(await mailTo(world, email, /something new/)));
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const call = (process: number, path: string, body?: object) =>
      fetch(at(process, `/api/customer/${path}`), {
        ...(body ? { method: "POST", body: JSON.stringify(body) } : {}),
        headers,
      });
    const [unit] = seen.parse(await (await call(0, "requests")).json());
    const result = `results/${unit?.resultId}`;
    expect((await call(0, result)).status).toBe(403);
    const code = await mailedCode(world, email, () => call(1, "step-up", {}));
    const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, "0");
    const tries = [0, 1, 2, 3].map((process) => call(process, "step-up", { code: wrong }));
    expect((await Promise.all(tries)).map(({ status }) => status)).toEqual([422, 422, 422, 422]);
    expect(
      await world.sql.count("SELECT failed_tries FROM step_up_codes WHERE request_id = $1", [
        request.id,
      ]),
    ).toBe(4);
    expect((await call(2, "step-up", { code })).status).toBe(204);
    expect(await statusAtEach(`/api/customer/${result}`, { headers })).toEqual([200, 200, 200]);
  });
});

test("holds in every process at once what staff save in one", async () => {
  const [first, second, third] = world.line.web_urls.map((url) =>
    createAppPages(url, world.store.adminToken),
  );
  if (!first || !second || !third) throw new Error("There are not three processes");
  for (const [from, to, name] of [
    [first, second, "Pat of the first"],
    [second, third, "Pat of the second"],
    [third, first, "Pat of the third"],
  ] as const) {
    await savePolicies({ pages: from }, { contactName: name, contactPhone: "02 5550 0000" });
    expect(await to.open("/app/settings/results")).toContain(name);
  }
});

test("counts a customer's requests for each process by itself, as documented", async () => {
  const buyer = await shopping.newShopper();
  const headers = { authorization: `Bearer ${await world.store.customerToken(buyer.id)}` };
  const ask = async (process: number) => {
    const answer = await fetch(at(process, "/api/customer/requests"), { headers });
    await answer.body?.cancel();
    return answer.status;
  };
  // The limit is of three seconds, in which a busy machine may not answer so many.
  await eventually(async () => {
    const many = await Promise.all(Array.from({ length: 130 }, () => ask(0)));
    expect(many).toContain(429);
  });
  expect(await ask(1)).toBe(200);
});

test("loses nothing when a process is killed while orders and customers come", async () => {
  const buyer = await shopping.newShopper();
  const { webs } = await world.processes();
  const [killed = 0] = webs;
  const variantId = shopping.product("tests").variantId;
  const order = () => shopping.buy(buyer, [[variantId, 1]]);
  const before = Array.from({ length: 4 }, order);
  process.kill(killed, "SIGKILL");
  await eventually(async () => expect(isAlive(killed)).toBe(false), { what: "its end" });
  const after = Array.from({ length: 4 }, order);
  for (const bought of await Promise.all([...before, ...after]))
    await shopping.requestsWhen(bought, 1);
  // Customers of the dead process are served by the others meanwhile.
  for (let n = 0; n < 6; n++) expect(await buyer.api.requests()).toHaveLength(8);
});

test("answers every request while its processes are replaced one after the other", async () => {
  const buyer = await shopping.newShopper();
  const headers = { authorization: `Bearer ${await world.store.customerToken(buyer.id)}` };
  const seen = { messages: [] as number[], calls: [] as number[] };
  let isOver = false;
  const always = async (into: number[], ask: () => Promise<number>) => {
    while (!isOver || into.length < 20) into.push(await ask());
  };
  // Nothing follows from this topic, so that the messages are all that the workers have of them.
  const body = JSON.stringify({ id: 3 });
  const eventIds: string[] = [];
  // Other work may keep a process from its database for the 2.5 s that a message has. None refuses for another reason.
  const post = (): Promise<number> => {
    const eventId = randomUUID();
    eventIds.push(eventId);
    return deliverWebhook(world, { topic: "shop/update", body, eventId });
  };
  const list = async (): Promise<number> => {
    const answer = await fetch(`${world.line.app_url}/api/customer/requests`, { headers });
    await answer.body?.cancel();
    return answer.status;
  };
  const traffic = [always(seen.messages, post), always(seen.calls, list)];
  const replaced = async (number: number) => {
    const { app, webs } = await world.processes();
    return [app, ...webs][number] ?? 0;
  };
  for (const number of [0, 1]) {
    const former = await replaced(number);
    process.kill(former, "SIGTERM");
    await eventually(
      async () => {
        expect(await replaced(number)).not.toBe(former);
        expect((await fetch(at(number, "/healthz"))).status).toBe(200);
      },
      { what: "the next process" },
    );
  }
  isOver = true;
  await Promise.all(traffic);
  const others = (statuses: number[]) => statuses.filter((status) => status !== 200);
  expect({ messages: others(seen.messages), calls: others(seen.calls) }).toEqual({
    messages: [],
    calls: [],
  });
  expect(
    await world.sql.count("SELECT count(*) FROM inbox WHERE event_id = ANY($1)", [eventIds]),
  ).toBe(seen.messages.length);
});

test("lets go of a shop in every process at once when it leaves, and takes it back", async () => {
  const events = await world.pages.webhookAddress("staging");
  const answers = () => statusAtEach(events, { method: "POST", body: "{}" });
  // Its signature is missing, but there is such an address.
  await eventually(async () => expect(await answers()).toEqual([401, 401, 401]));
  await world.store.uninstall();
  await eventually(async () =>
    expect(
      await world.sql.count("SELECT count(*) FROM shops WHERE uninstalled_at IS NOT NULL"),
    ).toBe(1),
  );
  expect(await answers()).toEqual([404, 404, 404]);
  await world.store.install();
  const pages = world.line.web_urls.map((url) => createAppPages(url, world.store.adminToken));
  for (const page of pages) expect(await page.open("/app/settings")).toContain("Settings");
  const buyer = await shopping.newShopper();
  const order = await shopping.buy(buyer, [[shopping.product("tests").variantId, 1]]);
  await shopping.requestsWhen(order, 1);
});
