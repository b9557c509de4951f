import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { eventually, shareWorld } from "../harness/index.ts";
import { appRoutes } from "./app-routes.ts";
import { webhookHeaders } from "./webhook-post.ts";

const world = await shareWorld();

const FILLED = "6f9619ff-8b86-4011-b42d-00c04fc96401";

interface Asked {
  path: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

/** Calls until no limit refuses it. */
const ask = ({ path, ...init }: Asked) =>
  eventually(async () => {
    const answer = await fetch(`${world.line.app_url}${path}`, { ...init, redirect: "manual" });
    await answer.body?.cancel();
    if (answer.status === 429) throw new Error("limited");
    return answer;
  });

/** Headers of nobody, of a customer and of a member of staff. */
async function everybody(): Promise<Record<string, string>[]> {
  const customer = await world.store.createCustomer({
    firstName: "Ada",
    lastName: "Moss",
    email: `every-${process.pid}@example.com`,
  });
  const tokens = [await world.store.customerToken(customer.id), await world.store.adminToken()];
  return [{}, ...tokens.map((token) => ({ authorization: `Bearer ${token}` }))];
}

/** Every route, as nobody, as a customer and as staff; its data; and what is answered outside of routes. */
async function everyQuestion(): Promise<Asked[]> {
  const shop = world.line.store.shop.replace(".myshopify.com", "");
  const patterns = (await appRoutes()).map((pattern) =>
    pattern
      .replace(/:(ticket|token)/, `${shop}.${"x".repeat(43)}`)
      .replace(":address", `${shop}.${FILLED}`)
      .replace(/:\w+/g, FILLED)
      .replace("*", ""),
  );
  const [nobody, customer, staff] = await everybody();
  const routes = [...new Set(patterns)].flatMap((path) => [
    { path },
    { path, headers: customer },
    { path, headers: staff },
    { path, headers: nobody, method: "POST" },
    { path: `${path === "/" ? "/_root" : path}.data`, headers: staff },
  ]);
  const body = "{}";
  return [
    ...routes,
    ...["/healthz", "/livez", "/nowhere", "/assets/nothing.js", "/favicon.ico", "/t/%ff"].map(
      (path) => ({
        path,
      }),
    ),
    ...["/webhooks", `/events/${"x".repeat(32)}`].flatMap((path) => [
      { path },
      { path, method: "POST" },
    ]),
    {
      path: "/webhooks",
      method: "POST",
      headers: webhookHeaders(world, { topic: "inventory_levels/update", body }),
      body,
    },
    {
      path: "/t/x",
      method: "POST",
      headers: { "content-type": "text/plain" },
      body: "x".repeat(300_000),
    },
    { path: "/app/settings", method: "POST", headers: { origin: "https://evil.example" } },
    { path: "/api/customer/requests", method: "OPTIONS" },
    { path: `/proxy?${signedProxyQuery()}` },
  ];
}

function signedProxyQuery(): string {
  const query = {
    logged_in_customer_id: "",
    path_prefix: "/apps/pathway",
    shop: world.line.store.shop,
    timestamp: String(Math.floor(Date.now() / 1000)),
  };
  const message = Object.entries(query)
    .map(([name, value]) => `${name}=${value}`)
    .join("");
  const signature = createHmac("sha256", world.line.store.api_secret).update(message).digest("hex");
  return String(new URLSearchParams({ ...query, signature }));
}

test("every answer carries the headers that keep it private and harmless", async () => {
  const faults: string[] = [];
  const questions = await everyQuestion();
  expect(questions.length).toBeGreaterThan(150);
  for (const asked of questions) {
    const { status, headers } = await ask(asked);
    const where = `${asked.method ?? "GET"} ${asked.path} (${status})`;
    const policy = headers.get("content-security-policy") ?? "";
    const isForever = asked.path.startsWith("/assets/") && status === 200;
    if (headers.get("x-content-type-options") !== "nosniff")
      faults.push(`${where}: may be sniffed`);
    if (!headers.get("referrer-policy")) faults.push(`${where}: no referrer policy`);
    if (!isForever && !/\bno-store\b/.test(headers.get("cache-control") ?? ""))
      faults.push(`${where}: may be kept (${headers.get("cache-control")})`);
    for (const directive of ["default-src 'none'", "frame-ancestors "])
      if (!policy.includes(directive))
        faults.push(`${where}: policy without ${directive}: ${policy}`);
    if (/script-src[^;]*'unsafe-(inline|eval)'/.test(policy)) faults.push(`${where}: ${policy}`);
    if (headers.has("x-powered-by")) faults.push(`${where}: says what it runs on`);
    if (status >= 500) faults.push(where);
  }
  expect(faults).toEqual([]);
});
