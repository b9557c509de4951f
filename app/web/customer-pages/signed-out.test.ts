import type { AppLoadContext } from "@remix-run/node";
import { beforeEach, expect, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import { startLinked } from "../../../test/database/linked-results.ts";
import { openLink, recogniseSession } from "../../modules/access/open-link.ts";
import { action } from "../../routes/visit.$address.$.ts";
import { writeToken } from "../customer-interface/token.ts";
import { FORM_TOKEN } from "./page-context.ts";
import { sessionFormToken } from "./session-cookie.ts";

const db = await openTestDatabase();
let world: Awaited<ReturnType<typeof startLinked>>;
beforeEach(async () => {
  world = await startLinked(db);
});

/** Sends a form of a visit as its browser does; without `isOurs` as another site's page would have it sent. */
async function send(path: string, { isOurs = true } = {}) {
  const token = await world.mail("form_ready");
  const session = await openLink(world.ports, { shop: world.shop, token });
  if (!session) return expect.unreachable("The link let nobody in");
  const { linkId, secret } = session;
  const request = new Request("https://app.example/page", {
    method: "POST",
    headers: { cookie: `pathway_visit=${secret}` },
    body: new URLSearchParams({ [FORM_TOKEN]: isOurs ? sessionFormToken(secret) : "" }),
  });
  const ports = { ...world.ports, appUrl: "https://app.example" };
  const context = { app: { ports } } as unknown as AppLoadContext;
  const params = { address: writeToken(world.shop, linkId), "*": path };
  const press = () => action({ request: request.clone(), params, context });
  const response = await press();
  const visit = await recogniseSession(world.ports, { shop: world.shop, secret });
  return { response, linkId, press, isOver: visit === null };
}

test.each(["leave", "data/visits"])(
  "%s ends the visit, and has the browser forget its cookie and all that it kept",
  async (path) => {
    const { response, linkId, isOver } = await send(path);
    expect(isOver).toBe(true);
    expect(response.status).toBe(200);
    // The cookies of other visits to this host stay: signing out here is no other visit's end.
    expect(response.headers.get("clear-site-data")).toBe('"cache", "storage"');
    expect(response.headers.get("set-cookie")).toContain(`__Host-pathway_visit.${linkId}=;`);
    expect(response.headers.get("set-cookie")).toContain("Max-Age=0");
    expect(await response.text()).not.toContain("/leave");
  },
);

test.each([
  ["leave", "You are signed out"],
  ["data/visits", "You are signed out everywhere"],
])("%s that is pressed twice, or after the visit's end, mails no new link", async (path, told) => {
  const { press, linkId } = await send(path);
  const before = world.mails.length;
  const response = await press();
  expect(response.status).toBe(200);
  expect(response.headers.get("set-cookie")).toContain(`__Host-pathway_visit.${linkId}=;`);
  const text = await response.text();
  expect(text).toContain(`<h1>${told}</h1>`);
  expect(text).not.toContain("Check your email");
  await world.runJobs();
  expect(world.mails).toHaveLength(before);
});

test("keeps a visit that another site's form would end everywhere", async () => {
  const { response, isOver } = await send("data/visits", { isOurs: false });
  expect(isOver).toBe(false);
  expect(response.headers.get("clear-site-data")).toBeNull();
});

test("clears nothing on any other page", async () => {
  const { response } = await send("requests/unknown/hide");
  expect(response.headers.get("clear-site-data")).toBeNull();
});
