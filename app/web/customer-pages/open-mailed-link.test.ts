/** The page of a mailed link as browsers, and programs that look before them, ask for it. */
import type { AppLoadContext } from "@remix-run/node";
import { beforeEach, expect, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import { startLinked } from "../../../test/database/linked-results.ts";
import { recogniseSession, whyClosed } from "../../modules/access/open-link.ts";
import { newSecret } from "../../modules/kernel/secret.ts";
import { action, loader } from "../../routes/t.$token.ts";
import { writeToken } from "../customer-interface/token.ts";
import { FORM_TOKEN } from "./page-context.ts";
import { sessionFormToken } from "./session-cookie.ts";

const db = await openTestDatabase();
let world: Awaited<ReturnType<typeof startLinked>>;
let token: string;
beforeEach(async () => {
  world = await startLinked(db);
  token = await world.mail("form_ready");
});

interface Asked {
  cookie?: string;
  /** The posted body; without one the page is looked at. */
  body?: URLSearchParams | string | null;
}

async function ask({ cookie = "", body }: Asked = {}) {
  const request = new Request("https://app.example/page", {
    method: body === undefined ? "GET" : "POST",
    headers: cookie ? { cookie } : {},
    ...(body ? { body } : {}),
  });
  const ports = { ...world.ports, appUrl: "https://app.example" };
  const context = { app: { ports } } as unknown as AppLoadContext;
  const params = { token: writeToken(world.shop, token) };
  const response = await (body === undefined ? loader : action)({ request, params, context });
  const cookies = response.headers.getSetCookie().map((one) => one.split(";")[0] ?? "");
  const text = await response.text();
  const proof = new RegExp(`name="${FORM_TOKEN}" value="([^"]+)"`).exec(text)?.[1];
  return { status: response.status, to: response.headers.get("location"), cookies, text, proof };
}

const pressed = (proof: string | undefined) =>
  new URLSearchParams({ intent: "open", ...(proof && { [FORM_TOKEN]: proof }) });
const isUnused = async () => (await whyClosed(world.ports, { shop: world.shop, token })) === null;

test.each([
  ["without a body", null],
  ["of nothing", new URLSearchParams()],
  ["of another form", new URLSearchParams({ q: "x", submit: "1" })],
  ["that is no form", "{}"],
])("a post %s sees the page and leaves the link as it is", async (_, body) => {
  const seen = await ask({ body });
  expect(seen.status).toBe(200);
  expect(seen.text).toContain("Open my page");
  expect(await isUnused()).toBe(true);
});

test("a button that is pressed twice opens one visit, whichever answer the browser waits for", async () => {
  const { cookies, proof } = await ask();
  const press = () => ask({ cookie: cookies.join("; "), body: pressed(proof) });
  const answers = await Promise.all([press(), press(), press()]);
  const later = await press();
  for (const { status, to, cookies: kept } of [...answers, later]) {
    expect([status, to]).toEqual([303, answers[0]?.to]);
    expect(kept).toEqual(answers[0]?.cookies);
  }
  const { rowCount } = await db.pool.query("SELECT FROM patient_sessions WHERE shop = $1", [
    world.shop,
  ]);
  expect(rowCount).toBe(1);
  // Another browser that was shown the page before is too late.
  expect((await ask({ cookie: "", body: pressed(undefined) })).status).toBe(404);
});

test("begins no visit by a secret that a neighbouring host may have planted in the browser", async () => {
  const planted = newSecret("guest_session");
  const cookie = `pathway_visit=${planted}`;
  const seen = await ask({ cookie });
  expect(seen.cookies.join()).not.toContain(planted);
  // The planter knows what a form with it would carry, and may have sent the form.
  expect(await ask({ cookie, body: pressed(sessionFormToken(planted)) })).toMatchObject({
    status: 422,
  });
  expect(await isUnused()).toBe(true);
  const cookies = `${cookie}; ${seen.cookies.join("; ")}`;
  expect((await ask({ cookie: cookies, body: pressed(seen.proof) })).status).toBe(303);
  expect(await recogniseSession(world.ports, { shop: world.shop, secret: planted })).toBeNull();
});

test("two tabs of one browser have the link's page, and either opens it", async () => {
  const first = await ask();
  const second = await ask({ cookie: first.cookies.join("; ") });
  expect(second.proof).toBe(first.proof);
  const opened = await ask({ cookie: second.cookies.join("; "), body: pressed(first.proof) });
  expect(opened.status).toBe(303);
});

test("a browser that keeps no cookie is told so, and its link stays good for another one", async () => {
  const { proof } = await ask();
  const refused = await ask({ body: pressed(proof) });
  expect(refused.status).toBe(422);
  expect(refused.text).toContain("<title>Error: ");
  expect(refused.text).toContain("keep the cookie");
  expect(await isUnused()).toBe(true);
  // A cookie that came meanwhile, or that was over, is made anew with the answer.
  const again = { cookie: refused.cookies.join("; "), body: pressed(refused.proof) };
  expect((await ask(again)).status).toBe(303);
});

test("a proof of another browser's cookie opens nothing", async () => {
  const { cookies } = await ask();
  const foreign = pressed(sessionFormToken(newSecret("guest_session")));
  expect((await ask({ cookie: cookies.join("; "), body: foreign })).status).toBe(422);
  expect(await isUnused()).toBe(true);
});

test("a visit that was signed out of is not begun again by the same button", async () => {
  const { cookies, proof } = await ask();
  const press = () => ask({ cookie: cookies.join("; "), body: pressed(proof) });
  expect((await press()).status).toBe(303);
  await db.pool.query("DELETE FROM patient_sessions WHERE shop = $1", [world.shop]);
  expect((await press()).status).toBe(404);
});

const renew = new URLSearchParams({ intent: "renew" });
const mails = async () => {
  await world.runJobs();
  return world.mails.length;
};

test.each([
  ["a fresh link", "SELECT $1"],
  ["a link that was used", "UPDATE patient_links SET used_at = now() WHERE shop = $1"],
])("says of %s that the shop has left, and promises no other link", async (_, change) => {
  await db.pool.query(change, [world.shop]);
  await db.pool.query("UPDATE shops SET uninstalled_at = now() WHERE shop = $1", [world.shop]);
  const before = await mails();
  for (const seen of [await ask(), await ask({ body: renew })]) {
    expect(seen.status).toBe(404);
    expect(seen.text).toContain("Your order isn’t lost.");
    expect(seen.text).not.toMatch(/given to somebody|new link|new one|on its way/);
  }
  expect(await mails()).toBe(before);
});

test("promises no other link where the invitation was cancelled, and says whom to ask", async () => {
  await db.pool.query("UPDATE patient_links SET revoked_at = now() WHERE shop = $1", [world.shop]);
  const before = await mails();
  for (const seen of [await ask(), await ask({ body: renew })]) {
    expect(seen.status).toBe(404);
    expect(seen.text).toContain("ask the person who bought the test");
    expect(seen.text).not.toMatch(/send me a new link|on its way/i);
  }
  expect(await mails()).toBe(before);
});

test("says before and after a new link is sent that it goes to the address of now", async () => {
  await db.pool.query("UPDATE patient_links SET used_at = now() WHERE shop = $1", [world.shop]);
  const before = await mails();
  for (const seen of [await ask(), await ask({ body: renew })])
    expect(seen.text).toContain("to the address that the shop has now");
  expect(await mails()).toBe(before + 1);
});
