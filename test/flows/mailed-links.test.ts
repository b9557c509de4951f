import { unzipSync } from "fflate";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { eventually, SHIPPING_ADDRESS, shareWorld } from "../harness/index.ts";
import { orderPage } from "../harness/pages.ts";
import { oneReferralEach } from "./at-the-service.ts";
import {
  asBearer,
  linkIn,
  mailedCode,
  mailTo,
  openByForm,
  stepUp,
  tokenIn,
} from "./mailed-links.ts";
import { requestsOf } from "./rows.ts";
import { goShopping, only } from "./shopping.ts";

const world = await shareWorld();
// Guests are mailed links where no account can sign them in.
await world.store.chooseAccounts("legacy");
afterAll(() => world.store.chooseAccounts("new"));

const listSchema = z.array(
  z.looseObject({
    id: z.string(),
    state: z.string(),
    resultId: z.string().nullish(),
    documents: z.array(z.looseObject({ id: z.string(), kind: z.string() })),
  }),
);

/** A guest's test with its results, and every link that was mailed on the way, none of them opened. */
async function guestWithResults(name: string, facts: { createdAt?: string } = {}) {
  const shopping = goShopping(world);
  const email = `${name}-${process.pid}@example.com`;
  const order = await world.store.createOrder({
    email,
    lines: [{ variantId: shopping.product("bundle").variantId, quantity: 1 }],
    shippingAddress: SHIPPING_ADDRESS,
    ...facts,
  });
  // One of before the install waits until a person names it.
  if (facts.createdAt)
    await world.pages.submit("/app/settings", { intent: "import-order", order: order.name });
  const asking = linkIn(await mailTo(world, email, /few details/));
  // The guest renews the link, as somebody does who lost the first mail.
  const body = () => new URLSearchParams({ intent: "renew" });
  await fetch(asking, { method: "POST", body: body() });
  const renewed = tokenIn(linkIn(await mailTo(world, email, /new link/)));
  const [request] = await requestsOf(world.sql, order.id);
  const given = await fetch(`${world.line.app_url}/api/customer/requests/${request?.id}/patient`, {
    method: "PUT",
    headers: { authorization: `Bearer ${renewed}`, "content-type": "application/json" },
    body: JSON.stringify(shopping.patient()),
  });
  expect(given.status).toBe(200);
  const form = linkIn(await mailTo(world, email, /form is ready/));
  const requests = await requestsOf(world.sql, order.id);
  const referral = only(await eventually(() => oneReferralEach(world, requests)));
  return {
    order,
    email,
    asking,
    renewed,
    form,
    async release() {
      await world.console.sendResults(referral.uuid, { abnormal: true, seed: 7 });
      return linkIn(await mailTo(world, email, /something new/));
    },
  };
}

const seenBy = async (token: string) =>
  only(listSchema.parse(await (await asBearer(world, token, "requests")).json()));

test("an older link opens nothing in another browser, and its token is answered 401", async () => {
  const guest = await guestWithResults("older");
  // Unopened, and there is a newer one.
  const first = await fetch(guest.asking);
  expect(first.status).toBe(404);
  expect(await first.text()).toContain("newer link");
  const results = await guest.release();
  for (const link of [guest.asking, guest.form]) {
    await expect(openByForm(link)).rejects.toThrow("404");
    expect((await asBearer(world, tokenIn(link), "requests")).status).toBe(401);
  }
  // A token that was in use ends as well.
  expect((await asBearer(world, guest.renewed, "requests")).status).toBe(401);
  const seen = await seenBy(tokenIn(results));
  expect(seen.state).toBe("results_ready");
});

test("a forwarded link to the form opens the form and no results, by no way", async () => {
  const guest = await guestWithResults("forwarded");
  const stranger = await openByForm(guest.form);
  const results = tokenIn(await guest.release());
  const { resultId, documents } = await seenBy(results);
  const look = async (path: string, init: RequestInit = {}) => {
    const headers = { cookie: stranger.cookie };
    const answer = await fetch(`${stranger.address}/${path}`, {
      ...init,
      headers,
      redirect: "manual",
    });
    return { status: answer.status, text: await answer.text() };
  };
  const report = documents.find(({ kind }) => kind === "result")?.id ?? "";
  const form = documents.find(({ kind }) => kind === "referral")?.id ?? "";
  expect((await look(`documents/${form}`)).text).toContain("%PDF-");
  for (const path of [`results/${resultId}`, `documents/${report}`, `results/${resultId}/code`]) {
    const { status, text } = await look(path);
    expect([path, status]).toEqual([path, 403]);
    expect(text).not.toMatch(/%PDF|Haemoglobin|All values/);
  }
});

test("results behind a link need the mailed code, by program and by page", async () => {
  const guest = await guestWithResults("stepping");
  const link = await guest.release();
  const token = tokenIn(link);
  const { resultId, documents } = await seenBy(token);
  const ask = (path: string) => asBearer(world, token, path);
  const report = documents.find(({ kind }) => kind === "result")?.id ?? "";
  for (const path of [`results/${resultId}`, `documents/${report}`, "export"]) {
    const refused = await ask(path);
    expect(refused.status).toBe(403);
    expect(await refused.json()).toEqual({ error: "step_up_required", methods: ["email_code"] });
  }
  const code = await mailedCode(world, guest.email, async () =>
    expect((await asBearer(world, token, "step-up", {})).status).toBe(202),
  );
  expect((await asBearer(world, token, "step-up", { code: wrong(code) })).status).toBe(422);
  expect((await asBearer(world, token, "step-up", { code })).status).toBe(204);
  expect(await (await ask(`results/${resultId}`)).text()).toContain("categories");
  expect(await (await ask(`documents/${report}`)).text()).toContain("%PDF-");
  const archive = await ask("export");
  expect(archive.headers.get("content-type")).toBe("application/zip");
  const files = unzipSync(new Uint8Array(await archive.arrayBuffer()));
  expect(Object.keys(files).join(" ")).toMatch(
    /values\.csv bundle\.json details\.json forms\/\S+\.pdf reports\/\S+\.pdf README\.txt/,
  );
  const opened = await (await ask("access-log")).json();
  expect(opened.map(({ who, what }: { who: string; what: string }) => `${who} ${what}`)).toEqual([
    ...["link everything_exported", "link report_opened", "link result_viewed"],
    ...["link code_refused", "link details_saved"],
  ]);

  // A browser, with a link that replaces the program's.
  await fetch(link, { method: "POST", body: new URLSearchParams({ intent: "renew" }) });
  const renewed = await eventually(async () => {
    const next = linkIn(await mailTo(world, guest.email, /new link/));
    expect(tokenIn(next)).not.toBe(guest.renewed);
    return next;
  });
  const visit = await openByForm(renewed);
  const page = `${visit.address}/results/${resultId}`;
  const headers = { cookie: visit.cookie };
  const shown = await (await fetch(page, { headers })).text();
  expect(shown).toContain("Confirm that it");
  expect(shown).not.toContain("All values");
  const formToken = /name="form_token" value="([^"]+)"/.exec(shown)?.[1] ?? "";
  const post = (form: Record<string, string>) =>
    fetch(`${page}/code`, {
      method: "POST",
      headers,
      body: new URLSearchParams({ form_token: formToken, ...form }),
    });
  const mailed = await mailedCode(world, guest.email, async () =>
    expect(await (await post({ intent: "send" })).text()).toContain("s•••@example.com"),
  );
  const faulty = await post({ intent: "check", code: wrong(mailed) });
  expect(faulty.status).toBe(422);
  expect(await faulty.text()).toContain("That code isn&#x27;t right");
  expect(await (await post({ intent: "check", code: mailed })).text()).toContain("All values");
  expect((await asBearer(world, token, `results/${resultId}`)).status).toBe(401);
});

test("wrong codes are counted across two links of one patient, then nothing is taken", async () => {
  const guest = await guestWithResults("counted");
  const link = await guest.release();
  const tryOut = async (token: string, times: number) => {
    const code = await mailedCode(world, guest.email, () => asBearer(world, token, "step-up", {}));
    const statuses: number[] = [];
    for (let n = 0; n < times; n++)
      statuses.push((await asBearer(world, token, "step-up", { code: wrong(code) })).status);
    return { code, statuses };
  };
  expect((await tryOut(tokenIn(link), 3)).statuses).toEqual([422, 422, 422]);
  await fetch(link, { method: "POST", body: new URLSearchParams({ intent: "renew" }) });
  const renewed = await eventually(async () => {
    const next = tokenIn(linkIn(await mailTo(world, guest.email, /new link/)));
    expect(next).not.toBe(guest.renewed);
    return next;
  });
  const { code, statuses } = await tryOut(renewed, 2);
  expect(statuses).toEqual([422, 429]);
  const paused = await asBearer(world, renewed, "step-up", { code });
  expect(paused.status).toBe(429);
  expect(Number(paused.headers.get("retry-after"))).toBeGreaterThan(60);
  expect((await asBearer(world, renewed, "step-up", {})).status).toBe(429);
});

const zoneIs = (name: string) =>
  expect
    .poll(() =>
      world.sql.count("SELECT count(*) FROM shops WHERE shop = $1 AND time_zone = $2", [
        world.line.store.shop,
        name,
      ]),
    )
    .toBe(1);

test("tells dates by the clock of a store in Perth, on pages, in the download and in the admin", async () => {
  await world.store.chooseTimeZone("Australia/Perth");
  onTestFinished(async () => {
    await world.store.chooseTimeZone("Australia/Sydney");
    await world.pages.submit("/app/settings", { intent: "read-permissions" });
    await zoneIs("Australia/Sydney");
  });
  // A quarter past ten in the evening in Perth, where Sydney has the next day. Shopify shows no order that is older than two months.
  const createdAt = `${new Date(Date.now() - 10 * 86_400_000).toISOString().slice(0, 10)}T14:15:00Z`;
  const guest = await guestWithResults("perth", { createdAt });
  await zoneIs("Australia/Perth");
  const inPerth = (at: Date) =>
    `${at.toLocaleString("en-AU", {
      ...{ dateStyle: "long", timeStyle: "short", timeZone: "Australia/Perth" },
    })} AWST`;

  const { address, cookie } = await openByForm(guest.form);
  const look = async (page: string) =>
    (await fetch(`${address}/${page}`, { headers: { cookie } })).text();
  const moment = z.object({ at: z.date() });
  const ofOrder = (column: string, table: string) =>
    world.sql.rows(
      moment,
      `SELECT ${column} AS at FROM ${table} WHERE request_id =
         (SELECT id FROM referral_requests WHERE order_id = $1) ORDER BY ${column} LIMIT 1`,
      [guest.order.id],
    );
  const agreed = only(await ofOrder("given_at", "consents"));
  expect(await look("agreed")).toContain(`Agreed to on ${inPerth(agreed.at)} by`);
  const saved = only(await ofOrder("at", "access_log"));
  expect(await look("data")).toContain(inPerth(saved.at));

  const token = tokenIn(await guest.release());
  await stepUp(world, token, guest.email);
  const { resultId } = await seenBy(token);
  const result = await asBearer(world, token, `results/${resultId}`);
  expect(await result.json()).toMatchObject({ timeZone: "Australia/Perth" });
  const before = new Date();
  const archive = await (await asBearer(world, token, "export")).arrayBuffer();
  const readme = new TextDecoder().decode(unzipSync(new Uint8Array(archive))["README.txt"]);
  const taken = [before, new Date()].map((at) => `taken on ${inPerth(at)}`);
  expect(taken.filter((words) => readme.includes(words))).not.toEqual([]);

  for (const page of [
    orderPage(guest.order),
    `/app/referrals?q=${encodeURIComponent(guest.order.name)}`,
  ]) {
    const shown = await world.pages.open(page);
    expect(shown, page).toContain(inShort(createdAt, "Australia/Perth"));
    expect(shown, page).not.toContain(inShort(createdAt, "Australia/Sydney"));
  }
});

/** As the admin writes a moment: 20 Nov 2026, 10:15 pm. */
const inShort = (at: string, timeZone: string) =>
  new Date(at).toLocaleString("en-AU", { dateStyle: "medium", timeStyle: "short", timeZone });

const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, "0");
