/** The patient's form inside a theme, sent after the shop's own sign-in ended. */
import type { AppLoadContext } from "@remix-run/node";
import { expect, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import { BUYER, STRANGER, startInvitation } from "../../../test/database/invitation.ts";
import { proxyFormToken } from "../../clients/shopify/proxy-signature.ts";
import { invitePatient } from "../../modules/access/invite-patient.ts";
import { keptAnswers } from "../../modules/access/keep-answers.ts";
import type { Viewer } from "../../modules/access/viewer.ts";
import { gid } from "../../modules/kernel/ids.ts";
import { action } from "../../routes/proxy.$.ts";
import { FORM_TOKEN } from "./page-context.ts";

const db = await openTestDatabase();
const SECRET = "shpss_secret";

async function start() {
  const world = await startInvitation(db);
  const { shop, ports, id } = world;
  /** Sends the form as the page of this customer has it, for a browser that is not signed in. */
  const send = async (
    customer: number,
    path = `requests/${id}/details`,
    signedIn: ReturnType<typeof gid<"Customer">> | null = null,
  ) => {
    const token = proxyFormToken(SECRET, { shop, customerId: gid("Customer", customer) });
    const app = {
      ports,
      proxyCall: () => ({ shop, customerId: signedIn, prefix: "/apps/pathway" }),
      refusals: { note: () => {} },
      proxyFormToken: (theirs: Parameters<typeof proxyFormToken>[1]) =>
        proxyFormToken(SECRET, theirs),
    };
    const request = new Request("https://app.example/proxy?who=somebody", {
      method: "POST",
      body: new URLSearchParams({ [FORM_TOKEN]: token, firstName: "Ngaire", consent: "yes" }),
    });
    const context = { app } as unknown as AppLoadContext;
    const response = await action({ request, params: { "*": path }, context });
    return { status: response.status, text: await response.text() };
  };
  const kept = (viewer: Viewer) => keptAnswers(ports, { shop, viewer, requestId: id });
  return { ...world, send, kept };
}

test("keeps what a customer typed whose sign-in ended, and says where it waits", async () => {
  const { send, kept } = await start();
  const { status, text } = await send(7);
  expect(status).toBe(401);
  expect(text).toContain("We kept what you typed");
  expect(text).toContain("Sign in and open the form again");
  expect(await kept(BUYER)).toMatchObject({ firstName: "Ngaire", who: "somebody" });
  expect(await kept(STRANGER)).toBeNull();
});

test("keeps nothing of another customer's form, nor of another form", async () => {
  const { send, kept, id } = await start();
  for (const answer of [
    await send(8),
    await send(7, `requests/${id}/hand-over`),
    await send(7, ""),
  ]) {
    expect(answer.status).toBe(401);
    expect(answer.text).not.toContain("We kept");
  }
  expect(await kept(BUYER)).toBeNull();
});

test("keeps nothing once the test was sent to its patient", async () => {
  const { send, shop, ports, id } = await start();
  await invitePatient(ports, { shop, viewer: BUYER, requestId: id, email: "pat@example.com" });
  expect((await send(7)).text).not.toContain("We kept");
});

test("changes nothing for a customer of another store that has the name", async () => {
  const { send, shop } = await start();
  for (const store of [1, 2])
    await db.tenancy.inShop(shop, ({ shops }) =>
      shops.identify(`gid://shopify/Shop/${shop} ${store}`),
    );
  const counted = async () =>
    (await db.pool.query("SELECT count(*)::int AS n FROM saved_patients WHERE shop = $1", [shop]))
      .rows;
  const { status, text } = await send(8, "people/new", gid("Customer", 8));
  expect(status).toBe(503);
  expect(text).toContain("Another store uses this shop’s address at the moment");
  expect(await counted()).toEqual([{ n: 0 }]);
});
