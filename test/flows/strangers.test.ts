/** Long because it is the list of every identity and every kind of address. */
import { createHmac, randomUUID } from "node:crypto";
import { strFromU8, unzipSync } from "fflate";
import { afterAll, expect, test } from "vitest";
import { z } from "zod";
import { eventually, SHIPPING_ADDRESS, shareWorld } from "../harness/index.ts";
import { appRoutes } from "./app-routes.ts";
import { oneReferralEach } from "./at-the-service.ts";
import { CANARIES, CANARY_PATIENT } from "./canary-patient.ts";
import { linkIn, mailTo, openByForm, stepUp, tokenIn } from "./mailed-links.ts";
import { requestsOf } from "./rows.ts";
import { goShopping } from "./shopping.ts";

const world = await shareWorld();
// Guests are mailed links where no account can sign them in.
await world.store.chooseAccounts("legacy");
afterAll(() => world.store.chooseAccounts("new"));
const shopping = goShopping(world);

/** Texts of which a stranger must not get one byte. */
const SECRETS = [...CANARIES, "%PDF-", "Haemoglobin"];

interface Identity {
  name: string;
  bearer?: string;
  authorization?: string;
  cookie?: string;
  /** Paid for the victim's unit, which is somebody else's now. */
  isBuyer?: boolean;
  /** Signed in, and simply not the one. */
  isKnown?: boolean;
}

/** A unit that was handed over and has its results, another that a guest holds, and every id there is of them. */
async function victims() {
  const buyer = await shopping.newShopper();
  const { variantId } = shopping.product("bundle");
  const order = await shopping.buy(buyer, [[variantId, 1]]);
  const [unit] = await shopping.requestsWhen(order, 1);
  const address = (name: string) => `${name}-${process.pid}@example.com`;
  // First to somebody who never comes and from whom it is taken back.
  await buyer.api.handOver(unit?.id ?? "", address("former"));
  const former = tokenIn(
    linkIn(await mailTo(world, address("former"), /ordered something for you/)),
  );
  await call(`/api/customer/requests/${unit?.id}/handover`, {
    method: "DELETE",
    bearer: await world.store.customerToken(buyer.id),
  });
  await buyer.api.handOver(unit?.id ?? "", address("patient"));
  const invitation = tokenIn(
    linkIn(await mailTo(world, address("patient"), /ordered something for you/)),
  );
  let token = invitation;
  const asPatient = (path: string, init: Partial<Call> = {}) =>
    call(path, { bearer: token, ...init });
  const saved = await asPatient(`/api/customer/requests/${unit?.id}/patient`, {
    method: "PUT",
    json: CANARY_PATIENT,
  });
  expect(saved.status).toBe(200);
  await eventually(() => oneReferralEach(world, unit ? [unit] : []));
  const [referral] = await oneReferralEach(world, await requestsOf(world.sql, order.id));
  await world.console.sendResults(referral?.uuid ?? "", { abnormal: true, seed: 7 });
  /** The patient comes by the newest link, and shows the code that was mailed to them. */
  const enter = async (subject: RegExp) => {
    token = tokenIn(linkIn(await mailTo(world, address("patient"), subject)));
    await stepUp(world, token, address("patient"));
  };
  await enter(/something new/);
  const own = await eventually(async () => {
    const list = z
      .array(
        z.looseObject({
          id: z.string(),
          state: z.string(),
          resultId: z.string(),
          documents: z.array(z.looseObject({ id: z.string() })).length(2),
        }),
      )
      .parse(JSON.parse((await asPatient("/api/customer/requests")).text));
    expect(list.map(({ state }) => state)).toEqual(["results_ready"]);
    return list[0];
  });
  const links = await world.sql.rows(
    z.object({ id: z.string() }),
    "SELECT id FROM patient_links WHERE request_id = $1",
    [unit?.id],
  );
  return {
    buyer,
    order,
    token,
    invitation,
    former,
    enter,
    asPatient,
    requestId: unit?.id ?? "",
    resultId: own?.resultId ?? "",
    documents: own?.documents.map(({ id }) => id) ?? [],
    places: links.map(({ id }) => `${shopLabel()}.${id}`),
  };
}
type Victims = Awaited<ReturnType<typeof victims>>;

const shopLabel = () => world.line.store.shop.replace(".myshopify.com", "");

interface Call {
  method: string;
  bearer?: string;
  /** The header as it is, in place of a bearer. */
  authorization?: string;
  cookie?: string;
  json?: unknown;
  form?: Record<string, string>;
}

/** Limits are of seconds: who asks again sooner only keeps the app busy with refusals. */
const UNTIL_NEXT_WINDOW = { intervalMs: 500, timeoutMs: 120_000 };

/** Calls as often as it takes: what a limit refuses shows nothing of what the route would have answered. */
const call = (path: string, how: Partial<Call> = {}) =>
  eventually(async () => {
    const answer = await callOnce(path, how);
    const isLimited = answer.status === 429 && /too.many.requests/i.test(answer.text);
    if (isLimited) throw new Error(`limited: ${path}`);
    return answer;
  }, UNTIL_NEXT_WINDOW);

async function callOnce(
  path: string,
  { method = "GET", cookie, json, form, ...as }: Partial<Call>,
) {
  const headers: Record<string, string> = { "user-agent": "Mozilla/5.0 Chrome/140" };
  if (as.bearer) headers.authorization = `Bearer ${as.bearer}`;
  if (as.authorization) headers.authorization = as.authorization;
  if (cookie) headers.cookie = cookie;
  if (json !== undefined) headers["content-type"] = "application/json";
  const answer = await fetch(`${world.line.app_url}${path}`, {
    method,
    headers,
    redirect: "manual",
    body: json === undefined ? form && new URLSearchParams(form) : JSON.stringify(json),
  });
  const text = Buffer.from(await answer.arrayBuffer()).toString("latin1");
  return { status: answer.status, text, headers: answer.headers };
}

/** A token as Shopify makes them for this app, with something about it changed. */
function customerToken(customerId: string, changes: Record<string, unknown> = {}): string {
  const { shop, api_key, api_secret } = world.line.store;
  const now = Math.floor(Date.now() / 1000);
  const claims = {
    iss: `https://${shop}`,
    dest: shop,
    aud: api_key,
    sub: customerId,
    iat: now - 10,
    nbf: now - 10,
    exp: now + 300,
    jti: randomUUID(),
    ...changes,
  };
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const body = `${part({ alg: "HS256", typ: "JWT" })}.${part(claims)}`;
  return `${body}.${createHmac("sha256", api_secret).update(body).digest("base64url")}`;
}

async function identities({ buyer, token, invitation, former }: Victims): Promise<Identity[]> {
  const other = await shopping.newShopper();
  const email = `onlooker-${process.pid}@example.com`;
  await world.store.createOrder({
    email,
    lines: [{ variantId: shopping.product("tests").variantId, quantity: 1 }],
    shippingAddress: SHIPPING_ADDRESS,
  });
  const mail = await mailTo(world, email, /few details/);
  const visit = await openByForm(linkIn(mail));
  const past = Math.floor(Date.now() / 1000) - 600;
  return [
    { name: "nobody" },
    { name: "a made-up token", bearer: "made.up.token" },
    { name: "a made-up link", bearer: `${shopLabel()}.${"x".repeat(43)}` },
    { name: "an expired token", bearer: customerToken(buyer.id, { exp: past }) },
    { name: "another app's token", bearer: customerToken(buyer.id, { aud: "another-app" }) },
    { name: "a visitor before the login", bearer: customerToken(buyer.id, { sub: undefined }) },
    {
      name: "the same customer id in another shop",
      bearer: customerToken(buyer.id, {
        dest: "elsewhere.myshopify.com",
        iss: "https://elsewhere.myshopify.com",
      }),
      isKnown: true,
    },
    { name: "another customer", bearer: customerToken(other.id), isKnown: true },
    {
      name: "the buyer, in the form of staff's tokens",
      bearer: customerToken(buyer.id, { dest: `https://${world.line.store.shop}` }),
      isKnown: true,
      isBuyer: true,
    },
    {
      name: "the buyer, in that form and without a word before it",
      authorization: customerToken(buyer.id, { dest: `https://${world.line.store.shop}` }),
    },
    { name: "the staff", bearer: await world.store.adminToken() },
    {
      name: "another shop's staff",
      bearer: customerToken("42", {
        dest: "https://elsewhere.myshopify.com",
        iss: "https://elsewhere.myshopify.com/admin",
      }),
    },
    {
      name: "staff whose token another shop issued",
      bearer: customerToken("42", {
        dest: `https://${world.line.store.shop}`,
        iss: "https://elsewhere.myshopify.com/admin",
      }),
    },
    { name: "the buyer", bearer: customerToken(buyer.id), isKnown: true, isBuyer: true },
    { name: "whom it was sent to first", bearer: former },
    { name: "the patient's own link to details that were given", bearer: invitation },
    // The token of a link that a browser opened lets no program in.
    { name: "a used link", bearer: tokenIn(linkIn(mail)) },
    { name: "another order's guest", cookie: visit.cookie },
    { name: "the link's own token as a cookie", cookie: `pathway_visit=${token.split(".")[1]}x` },
  ];
}

/** Addresses below a visitor's place; app/web/customer-pages/page-routes.ts lists the same. */
const insidePaths = ({ requestId, resultId, documents }: Victims) => [
  "",
  "leave",
  "saved",
  `saved/${requestId}/delete`,
  ...["details", "hand-over", "take-back", "link"].map((page) => `requests/${requestId}/${page}`),
  `results/${resultId}`,
  `results/${resultId}/code`,
  `results/${resultId}/shares`,
  ...documents.flatMap((id) => [`documents/${id}`, `documents/${id}/code`]),
];

/** The addresses that a pattern stands for when every blank is filled with something of the victim's. */
function addressesOf(pattern: string, of: Victims): string[] {
  const fillings: Record<string, string[]> = {
    ":id": [of.requestId, of.resultId, ...of.documents],
    ":ticket": [`${shopLabel()}.${"x".repeat(43)}`],
    ":token": [`${shopLabel()}.${"x".repeat(43)}`, of.former],
    ":address": of.places,
    ":requestId": [of.requestId],
    ":variantId": ["1"],
    ":runId": ["6f9619ff-8b86-4011-b42d-00c04fc96401"],
    ":number": [of.order.id.split("/").at(-1) ?? ""],
    "*": insidePaths(of),
  };
  let addresses = [""];
  for (const part of pattern.split("/").filter(Boolean)) {
    const isBlank = part.startsWith(":") || part === "*";
    const values = isBlank ? fillings[part] : [part];
    if (!values) throw new Error(`No victim's value is known for ${part} of ${pattern}`);
    addresses = addresses.flatMap((before) => values.map((value) => `${before}/${value}`));
  }
  return addresses;
}

/**
 * Whether everybody makes every call, which takes two minutes for the limits (PATHWAY_STRANGERS=every-call, as `npm run soak` sets
 * it). Else whoever is signed in reads everything, and of all other calls each makes every fourth: all are made by somebody.
 */
const IS_WHOLE = process.env.PATHWAY_STRANGERS === "every-call";
const METHODS = ["GET", "POST", "PUT", "DELETE"];

function methodsOf(path: string, turn: number, { isKnown = false }: Identity): string[] {
  if (!isForShoppers(path)) return ["GET"];
  return METHODS.filter(
    (method, index) => IS_WHOLE || (isKnown && method === "GET") || (index + turn) % 4 === 0,
  );
}

const isForShoppers = (path: string) => !/^\/(app|auth|api\/admin)(\/|$)|^\/?$/.test(path);

test("every address gives a stranger nothing, whoever they say they are", async () => {
  const of = await victims();
  const patterns = await appRoutes();
  expect(patterns.length).toBeGreaterThan(15);
  const everyone = await identities(of);
  const faults: string[] = [];
  let calls = 0;
  const paths = new Set(patterns.flatMap((pattern) => addressesOf(pattern, of)));
  // Each is limited by itself, so that none waits for what another has used up.
  const tryEverything = async (identity: Identity, place: number) => {
    const { bearer, authorization, cookie } = identity;
    for (const [index, path] of [...paths].entries()) {
      const forShoppers = isForShoppers(path);
      // The staff's own pages are theirs; that they show no result is shown elsewhere.
      if (!forShoppers && identity.name === "the staff") continue;
      for (const method of methodsOf(path, place + index, identity)) {
        const body =
          method === "PUT"
            ? // Details that a stranger saves in their own account are theirs: only the faults are wanted there.
              { json: path.includes("/profiles/") ? {} : CANARY_PATIENT }
            : method === "POST"
              ? { form: { email: "stranger@example.com" } }
              : {};
        const answer = await call(path, { method, bearer, authorization, cookie, ...body });
        calls++;
        const where = `${identity.name}: ${method} ${path}`;
        const mayTry = identity.isKnown || identity.authorization;
        // Under /auth stands only how to install the app.
        const mayOpen = forShoppers || path === "" || path.startsWith("/auth");
        if (!mayOpen && mayTry && answer.status < 400) faults.push(`${where}: ${answer.status}`);
        if (answer.status >= 500 && answer.status !== 503)
          faults.push(`${where}: ${answer.status}`);
        for (const canary of SECRETS)
          if (answer.text.includes(canary)) faults.push(`${where}: tells "${canary}"`);
        if (path.startsWith("/api/customer/"))
          faults.push(...shapeFaults(identity, path, answer, where));
      }
    }
  };
  await Promise.all(everyone.map(tryEverything));
  expect(calls).toBeGreaterThan(500);
  expect(faults).toEqual([]);
  // Strangers pressed the button for a new link: the patient alone got one, and it replaces the former.
  await of.enter(/new link/);
  // The same addresses answer their patient: what strangers did not get is there.
  const mine = await of.asPatient(`/api/customer/results/${of.resultId}`);
  expect(mine.text).toContain("Haemoglobin");
  for (const id of of.documents)
    expect((await of.asPatient(`/api/customer/documents/${id}`)).text).toContain("%PDF-");
  expect(mine.headers.get("cache-control")).toContain("no-store");
  const given = await of.asPatient(`/api/customer/requests/${of.requestId}/patient`);
  expect([given.status, given.text]).toEqual([403, '{"error":"other_purpose"}']);
  // Nothing was changed by anybody.
  const [row] = await requestsOf(world.sql, of.order.id);
  expect(row?.state).toBe("created");
}, 1_200_000);

/** One refusal looks like another: nobody learns from it what exists. */
function shapeFaults(
  { isKnown = false, isBuyer = false }: Identity,
  path: string,
  { status, text }: { status: number; text: string },
  where: string,
): string[] {
  if (!isKnown) return status === 401 && text === SIGN_IN ? [] : [`${where}: ${status} ${text}`];
  if (path === "/api/customer/requests") {
    if (status === 405) return [];
    const list = z.array(z.record(z.string(), z.unknown())).parse(JSON.parse(text));
    if (!isBuyer) return list.length === 0 ? [] : [`${where}: ${text}`];
    const [seen] = list;
    const told = { state: seen?.state, documents: seen?.documents, handOver: seen?.handOver };
    const allowed = {
      state: "handed_over",
      documents: [],
      handOver: { state: "done", canTakeBack: false },
    };
    return JSON.stringify(told) === JSON.stringify(allowed) ? [] : [`${where}: ${text}`];
  }
  if (status === 200 && path in OWN_ONLY)
    return OWN_ONLY[path]?.(text) ? [] : [`${where}: ${text}`];
  // The buyer may know that it is too late; that the unit exists is no news to them.
  if (isBuyer && status === 409 && path.endsWith("/handover")) return [];
  if (status === 422 && path.startsWith("/api/customer/profiles/")) return [];
  // A form where JSON belongs: the buyer's faulty address.
  if (status === 405 || (status === 404 && text === NOTHING)) return [];
  return isBuyer && status === 422 && path.endsWith("/handover")
    ? []
    : [`${where}: ${status} ${text}`];
}

/** Addresses that give everybody their own: whether it is nothing of the patient's. */
const OWN_ONLY: Record<string, (text: string) => boolean> = {
  "/api/customer/access-log": (text) => text === "[]",
  "/api/customer/consents": (text) => text === "[]",
  "/api/customer/shares": (text) => text === "[]",
  "/api/customer/profiles": (text) => text === "[]",
  "/api/customer/sessions": (text) => text === JSON.stringify({ ended: 0 }),
  "/api/customer/help": (text) =>
    z.object({ shopName: z.string() }).safeParse(JSON.parse(text)).success,
  "/api/customer/export": (text) =>
    text.startsWith("PK") ? isEmptyExport(text) : "url" in JSON.parse(text),
};

/** Whether an archive (in Latin-1) has no PDF and nothing of the patient in any file. */
function isEmptyExport(archive: string): boolean {
  const files = Object.entries(unzipSync(Buffer.from(archive, "latin1")));
  return files.every(([name, content]) => {
    const text = strFromU8(content);
    return !name.endsWith(".pdf") && SECRETS.every((canary) => !text.includes(canary));
  });
}

const SIGN_IN = JSON.stringify({ error: "Sign in to your account first." });
const NOTHING = JSON.stringify({ error: "There is nothing here for this account." });
