import type { Request, Response } from "express";
import { Liquid } from "liquidjs";
import { signedInCustomer } from "../account/session.ts";
import type { WebContext } from "../context.ts";
import { numericId } from "../format.ts";
import { trusted } from "../html.ts";
import { sendPage } from "../http.ts";
import { storefrontPage } from "./layout.ts";
import { customerDrop, shopDrop } from "./liquid-objects.ts";

/** Headers that Shopify does not hand on in either direction; cookies above all. */
const KEPT_BACK = new Set([
  "host",
  "cookie",
  "connection",
  "content-length",
  "transfer-encoding",
  "accept-encoding",
  "set-cookie",
  "content-encoding",
]);

/**
 * Shopify's app proxy: a request to `/apps/{subpath}/…` reaches the app with the shop, the signed-in customer and a
 * signature in its query; an answer of the type `application/liquid` is rendered inside the theme.
 */
export async function forwardToApp(
  web: WebContext,
  request: Request,
  response: Response,
): Promise<void> {
  const { facts, ports } = web;
  const { proxy, url: appUrl } = facts.app;
  if (!proxy || !appUrl || !(await ports.appInstalled())) {
    response.status(404).type("text").send("No app answers here.");
    return;
  }
  const prefix = `/${proxy.prefix}/${proxy.subpath}`;
  const target = new URL(appUrl + proxy.targetPath + request.path.slice(prefix.length));
  const { searchParams: given } = new URL(request.originalUrl, facts.origin);
  const added = await addedParameters(web, request, prefix);
  // A visitor's own values in the place of Shopify's are not passed on.
  for (const name of [...Object.keys(added), "signature"]) given.delete(name);
  for (const [name, value] of [...given, ...Object.entries(added)])
    target.searchParams.append(name, value);
  target.searchParams.set("signature", await ports.signProxyQuery(joined(target.searchParams)));

  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (typeof value === "string" && !KEPT_BACK.has(name)) headers.set(name, value);
  }
  headers.set("X-Forwarded-Host", facts.shop);
  const hasBody = request.method !== "GET" && request.method !== "HEAD";
  const answer = await fetch(target, {
    method: request.method,
    headers,
    body: hasBody ? new Uint8Array(request.body as Buffer) : undefined,
    redirect: "manual",
  });
  const type = answer.headers.get("Content-Type") ?? "";
  if (type.startsWith("application/liquid")) {
    const customer = await signedInCustomer(request, ports);
    const { markup, layout } = await renderLiquid(await answer.text(), {
      shop: shopDrop(facts),
      request: { path: request.path, origin: facts.origin },
      customer: customer && customerDrop(customer),
    });
    if (!layout) {
      response.status(answer.status).type("html").send(markup);
      return;
    }
    sendPage(
      response,
      storefrontPage(web, request, { title: facts.app.name, content: trusted(markup) }),
      answer.status,
    );
    return;
  }
  response.status(answer.status);
  for (const [name, value] of answer.headers) {
    if (!KEPT_BACK.has(name)) response.set(name, value);
  }
  response.send(Buffer.from(await answer.arrayBuffer()));
}

/** Renders an answer; `{% layout none %}` in it asks for a page without the theme around it. */
async function renderLiquid(source: string, scope: object) {
  const without = /\{%-?\s*layout\s+none\s*-?%\}/;
  const markup = await new Liquid().parseAndRender(source.replace(without, ""), scope);
  return { markup, layout: !without.test(source) };
}

/**
 * Joins parameters as the signature covers them: a name that comes several times is one, its values joined by commas.
 */
const joined = (parameters: URLSearchParams): Record<string, string> =>
  Object.fromEntries(
    [...new Set(parameters.keys())].map((name) => [name, parameters.getAll(name).join(",")]),
  );

/** Shopify's own parameters. */
async function addedParameters(
  { facts, ports }: WebContext,
  request: Request,
  prefix: string,
): Promise<Record<string, string>> {
  const customer = await signedInCustomer(request, ports);
  return {
    shop: facts.shop,
    logged_in_customer_id: customer ? numericId(customer.id) : "",
    path_prefix: prefix,
    timestamp: String(Math.floor(Date.now() / 1000)),
  };
}
